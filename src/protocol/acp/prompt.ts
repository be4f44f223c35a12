/** Prompts: what of one is shown, and how its echo is told from a message of somebody else. */
import {fieldOf, fieldsOf, listIn, objectIn, textIn, wordIn, type Fields} from './fields.js';

/** What of a prompt may come back as `user_message_chunk`. */
export interface PromptEcho {
  /** Texts of all blocks, hidden ones too. */
  readonly texts: readonly string[];
  /** All of them in one. */
  readonly whole: string;
  /** How much of the whole has come back in pieces. */
  readonly heard: string;
}

/** The blocks of a prompt; null when there is no list of them. */
export function promptBlocks(params: Fields | undefined): readonly Fields[] | null {
  const list = listIn(params, 'prompt');
  return list ? list.map(fieldsOf).filter((block) => block !== undefined) : null;
}

/** The prompt as its reader wrote it: without what is meant for the agent alone. Blocks that are not text show as what they name. */
export function shownPrompt(blocks: readonly Fields[]): string {
  return blocks
    .filter((block, index) => !isHidden(block, index))
    .map((block) => textIn(block, 'text') ?? `[${blockName(block)}]`)
    .join('\n');
}

/** A name for a block that is not text. */
export function blockName(block: Fields): string {
  const resource = objectIn(block, 'resource');
  const names = [
    wordIn(block, 'name'),
    wordIn(block, 'title'),
    wordIn(block, 'uri'),
    wordIn(resource, 'uri'),
  ];
  return names.find((name) => name !== undefined) ?? wordIn(block, 'type') ?? 'content';
}

function isHidden(block: Fields, index: number): boolean {
  if (index === 0 && fieldOf(objectIn(block, '_meta'), 'hermes.pageContext') !== undefined) return true;
  const audience = listIn(objectIn(block, 'annotations'), 'audience');
  return textIn(block, 'type') === 'resource' && audience?.length === 1 && audience[0] === 'assistant';
}

export function echoOf(blocks: readonly Fields[]): PromptEcho {
  const texts = blocks.map(blockText);
  return {texts, whole: texts.join(''), heard: ''};
}

/** The echo with a chunk more; null when the chunk is none of it. */
export function echoed(echo: PromptEcho, block: Fields): PromptEcho | null {
  const text = blockText(block);
  if (text === '' || echo.texts.includes(text)) return echo;
  const heard = echo.heard + text;
  return echo.whole.startsWith(heard) ? {...echo, heard} : null;
}

/** A block of the host that Reasonix replays as if the reader had typed it; holds paths. */
export function isHostContext(block: Fields): boolean {
  return textIn(block, 'text')?.startsWith('<session-context') ?? false;
}

function blockText(block: Fields): string {
  return textIn(block, 'text') ?? textIn(objectIn(block, 'resource'), 'text') ?? wordIn(block, 'uri') ?? '';
}
