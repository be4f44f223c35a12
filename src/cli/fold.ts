/** `hermes-elements fold`: recorded streams in, the transcript out. How a person debugs a stream, and how recordings are checked. */
import {characterEntities} from 'character-entities';
import {toSnapshot, unrelatedSessions, type FoldedTranscript} from '../anchor/index.js';
import {parseMarkdown} from '../markdown/index.js';
import {toText as textOfMarkdown} from '../markdown/to-text.js';
import {toMarkdown, toText} from '../scene/export.js';
import type {DisplayMode} from '../scene/index.js';
import {CommandError} from './command-error.js';
import type {CommandIo} from './command-io.js';
import {foldHelp, readFoldOptions, type FoldFormat} from './fold-options.js';
import {foldObservations} from './observations.js';

/** Runs the command; what goes wrong in a way a person can mend is thrown as a `CommandError`. */
export async function fold(args: readonly string[], io: CommandIo): Promise<void> {
  const options = readFoldOptions(args);
  if (options === null) return io.write(foldHelp);
  const transcript = await foldObservations(options, io);
  refuseUnrelated(transcript);
  io.write(print[options.format](transcript, options.mode));
}

const print = {
  // Goes into pages as it is: what an agent wrote must not close the script element around it.
  json: (transcript) => `${JSON.stringify(toSnapshot(transcript), null, 2).replaceAll('<', '\\u003c')}\n`,
  markdown: ({turns}, mode) => toMarkdown(turns, mode),
  text: ({turns}, mode) => toText(turns, mode, withoutMarks),
} satisfies Record<FoldFormat, (transcript: FoldedTranscript, mode: DisplayMode) => string>;

function withoutMarks(text: string): string {
  const entities = (name: string) =>
    Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined;
  return textOfMarkdown(parseMarkdown(text, {entities}));
}

function refuseUnrelated(transcript: FoldedTranscript): void {
  const strangers = unrelatedSessions(transcript);
  if (strangers.length === 0) return;
  const sessions = [transcript.session.id, ...strangers].join(' and ');
  throw new CommandError(
    'failure',
    `These are observations of unrelated sessions: ${sessions}. Fold each by itself.`,
  );
}
