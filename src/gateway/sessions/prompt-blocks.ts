/** Prompt blocks: what a reader asked, as the ACP prompt of an agent that can take it. */
import type {ContentBlock, StartRunRequest} from '../../protocol/index.js';
import {GatewayError} from '../gateway-error.js';
import type {Capabilities} from './capabilities.js';
import {objectAt, textAt, valueAt} from './loose.js';

/** The blocks of the request itself. Refuses what is no prompt; an empty one leaves some agents dumb for ever. */
export function requestedBlocks({prompt}: StartRunRequest): readonly ContentBlock[] {
  const blocks = typeof prompt === 'string' ? [{type: 'text', text: prompt}] : prompt;
  blocks.forEach(checkBlock);
  if (blocks.every(isBlank)) throw invalid('The prompt is empty. Write what the agent is to do.');
  return blocks;
}

function checkBlock(block: ContentBlock, index: number): void {
  const which = `Block ${index + 1} of the prompt`;
  if (!Object.hasOwn(needs, block.type)) {
    throw invalid(`${which} is of the type ${JSON.stringify(block.type)}, which is unknown. Use ${known}.`);
  }
  const lack = needs[block.type as BlockType].lack(block);
  if (lack !== null) throw invalid(`${which} is of the type ${block.type}, which needs ${lack}.`);
}

/** The prompt for an agent: the page's context first, if any. Refuses blocks that the agent cannot take. */
export function agentPrompt(
  blocks: readonly ContentBlock[],
  pageContext: string | undefined,
  {prompt}: Capabilities,
  agent: string,
): readonly ContentBlock[] {
  for (const {type} of blocks) {
    const {capability, words} = needs[type as BlockType];
    if (capability !== null && !prompt[capability]) {
      throw new GatewayError(
        'unsupported',
        `${agent} cannot take ${words}. Remove it, or choose another runtime.`,
        {type},
      );
    }
  }
  return pageContext ? [contextBlock(pageContext, prompt.embeddedContext), ...blocks] : blocks;
}

/** A title for a session that has none: the beginning of its first prompt; null when that is no text. */
export function promptTitle(blocks: readonly ContentBlock[]): string | null {
  const block = blocks.find(({type, _meta}) => type === 'text' && !_meta);
  const line = (block && textAt(block, 'text')?.trim().split('\n')[0]) ?? '';
  const characters = [...line];
  return characters.length > TITLE_LENGTH
    ? `${characters.slice(0, TITLE_LENGTH - 1).join('')}…`
    : line || null;
}

const TITLE_LENGTH = 60;

interface BlockNeed {
  /** What the agent must have promised; null for what all of them take. */
  readonly capability: keyof Capabilities['prompt'] | null;
  readonly words: string;
  /** What the block lacks, in words; null when it is whole. */
  lack(block: ContentBlock): string | null;
}

const lacksText =
  (...keys: readonly string[]) =>
  (block: ContentBlock) =>
    keys.some((key) => textAt(block, key) === null) ? keys.join(' and ') : null;

const needs = {
  text: {capability: null, words: 'text', lack: lacksText('text')},
  resource_link: {capability: null, words: 'links', lack: lacksText('uri', 'name')},
  resource: {
    capability: 'embeddedContext',
    words: 'embedded files',
    lack(block) {
      const resource = objectAt(block, 'resource');
      const whole =
        textAt(resource, 'uri') !== null && (valueAt(resource, 'text') ?? valueAt(resource, 'blob')) != null;
      return whole ? null : 'a resource with uri and text or blob';
    },
  },
  image: {capability: 'image', words: 'images', lack: lacksText('data', 'mimeType')},
  audio: {capability: 'audio', words: 'sound', lack: lacksText('data', 'mimeType')},
} satisfies Record<string, BlockNeed> as Record<BlockType, BlockNeed>;

type BlockType = 'text' | 'resource_link' | 'resource' | 'image' | 'audio';
const known = Object.keys(needs).join(', ');

// Marked for the agent alone, so it is not shown. An agent that takes no resources gets the same as text.
function contextBlock(text: string, asResource: boolean): ContentBlock {
  const marks = {annotations: {audience: ['assistant']}, _meta: {'hermes.pageContext': true}};
  return asResource
    ? {type: 'resource', resource: {uri: 'hermes:page-context', mimeType: 'text/markdown', text}, ...marks}
    : {type: 'text', text: `<page-context>\n${text}\n</page-context>`, ...marks};
}

function isBlank(block: ContentBlock): boolean {
  return block.type === 'text' && (textAt(block, 'text') ?? '').trim() === '';
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid-request', message);
}
