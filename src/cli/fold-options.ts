/** What can be typed after `hermes-elements fold`. */
import {displayModes, parseDisplayMode, type DisplayMode} from '../scene/index.js';
import {CommandError} from './command-error.js';
import {typedOptions} from './typed-options.js';

/** How the transcript is printed. */
export type FoldFormat = 'json' | 'markdown' | 'text';

/** What was typed, understood. */
export interface FoldOptions {
  /** Recordings in the order typed; `-` is standard input. */
  readonly files: readonly string[];
  readonly settled: readonly string[];
  readonly start: readonly string[];
  /** `auto` finds it from the frames. */
  readonly wire: 'auto' | 'hermes-webui' | 'hermes-runs' | 'acp';
  readonly mode: DisplayMode;
  readonly format: FoldFormat;
}

export const foldHelp = `hermes-elements fold [FILE…|-] [options]

Reads recorded streams and prints the transcript they lead to. Several files are several observations of one
session: its runs, or what was read before and after a reconnect, in any order.

  FILE              .sse: the bytes of a stream, as curl -N leaves them
                    .jsonl: {id, event, data} a line, or the rows of a run journal
                    .ndjson: the messages between an ACP client and its agent, {t, dir, msg} a line
  -                 the same from standard input
  --settled FILE    a settled session: the answer of GET /api/session, or hermes.transcript.v1; may be repeated
  --start FILE      the answer to a start request; may be repeated
  --wire WIRE       auto (default), hermes-webui, hermes-runs, acp
  --format FORMAT   json (default): hermes.transcript.v1; markdown; text
  --mode MODE       for markdown and text: ${displayModes.join(', ')}
                    (default transparent-stream: everything, in order)
  --help

Ends with 1 when the observations cannot be read or are of unrelated sessions, with 2 when it was typed wrong.

  curl -N http://localhost:8787/api/chat/stream?stream_id=… | hermes-elements fold - --format markdown
`;

/** What the arguments ask for; null when they ask for help. */
export function readFoldOptions(args: readonly string[]): FoldOptions | null {
  const {values, positionals} = parse(args);
  if (values.help) return null;
  const {settled = [], start = [], wire = 'auto', mode = 'transparent-stream', format = 'json'} = values;
  if (positionals.length === 0 && settled.length === 0) {
    throw new CommandError('usage', 'Name a recording, or - for standard input. See fold --help.');
  }
  if (positionals.filter((file) => file === '-').length > 1) {
    throw new CommandError('usage', 'Standard input can be read only once: give - a single time.');
  }
  return {
    files: positionals,
    settled,
    start,
    wire: oneOf('--wire', wire, wires),
    mode: readMode(mode),
    format: oneOf('--format', format, formats),
  };
}

const wires = ['auto', 'hermes-webui', 'hermes-runs', 'acp'] as const;
const formats = ['json', 'markdown', 'text'] as const;

function parse(args: readonly string[]) {
  return typedOptions('fold', args, {
    allowPositionals: true,
    options: {
      settled: {type: 'string', multiple: true},
      start: {type: 'string', multiple: true},
      wire: {type: 'string'},
      mode: {type: 'string'},
      format: {type: 'string'},
      help: {type: 'boolean', short: 'h'},
    },
  });
}

function readMode(text: string): DisplayMode {
  const mode = parseDisplayMode(text);
  // The parser is for attributes and takes anything; a command says what it did not understand.
  const spelling = text.replaceAll('_', '-');
  return spelling === 'hide-all-activity' ? mode : oneOf('--mode', spelling, displayModes);
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((name) => name === value);
  if (found !== undefined) return found;
  throw new CommandError('usage', `${option} takes ${known.join(', ')}, not ${value}.`);
}
