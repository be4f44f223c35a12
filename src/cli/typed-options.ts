/** What was typed after a command, by its table of options; what does not fit is one sentence. */
import {parseArgs, type ParseArgsConfig} from 'node:util';
import {CommandError} from './command-error.js';

/** Options as `parseArgs` has them. Throws a `CommandError` that names the command's help. */
export function typedOptions<const T extends ParseArgsConfig>(
  command: string,
  args: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T & {args: string[]}>> {
  try {
    return parseArgs({...config, args: [...args]});
  } catch (cause) {
    const [sentence] = (cause as Error).message.split('. ');
    throw new CommandError('usage', `${sentence}. See ${command} --help.`, {cause});
  }
}
