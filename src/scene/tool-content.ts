/** What a call gave back besides text: pictures and addresses, in the blocks that MCP and ACP share. */
import {
  asObject,
  firstString,
  ownList,
  ownObject,
  ownString,
  parseObject,
  type Json,
  type JsonObject,
} from '../anchor/json.js';

export type ContentPart =
  | {readonly type: 'text'; readonly text: string}
  /** A picture that brings its bytes, as a `data:` address of a kind that is only a picture. */
  | {readonly type: 'image'; readonly source: string; readonly name: string | null}
  /** An address from outside: nobody has looked at it yet. */
  | {readonly type: 'link'; readonly uri: string; readonly name: string | null; readonly text: string | null};

/** Base64 of about 3 MB. */
const LARGEST = 4_000_000;
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/]+={0,2}$/;

/** The parts of an output that consists of blocks or is a picture; null for one that is only text. */
export function contentParts(output: string): readonly ContentPart[] | null {
  const text = output.trim();
  if (isPicture(text)) return [{type: 'image', source: text, name: null}];
  const blocks = blocksOf(text);
  return blocks && blocks.length > 0 && blocks.every(isBlock) ? blocks.flatMap(partsOf) : null;
}

function isPicture(address: string): boolean {
  return address.length <= LARGEST && PICTURE.test(address);
}

function blocksOf(text: string): readonly (JsonObject | null)[] | null {
  // Most outputs are not looked at any closer.
  const list = text.startsWith('{') ? text : text.startsWith('[') ? `{"content":${text}}` : '';
  const holder = list.includes('"type"') ? parseObject(list) : null;
  return holder && ownList(holder, 'content').map((block: Json) => asObject(block));
}

const types = ['text', 'image', 'audio', 'resource', 'resource_link'];

function isBlock(block: JsonObject | null): block is JsonObject {
  return block !== null && types.includes(ownString(block, 'type') ?? '');
}

function partsOf(block: JsonObject): readonly ContentPart[] {
  const type = ownString(block, 'type');
  const kind = firstString(block, 'mimeType', 'mime_type') ?? '';
  const held = ownObject(block, 'resource') ?? block;
  const [uri, text, name] = [
    ownString(held, 'uri'),
    ownString(held, 'text'),
    firstString(block, 'title', 'name'),
  ];
  const source = `data:${kind};base64,${ownString(block, 'data') ?? ''}`;
  if (type === 'image' && isPicture(source)) return [{type: 'image', source, name}];
  if (uri) return [{type: 'link', uri, name, text: ownString(block, 'description')}, ...textPart(text)];
  return textPart(text ?? `[${type} ${kind}]`);
}

function textPart(text: string | null): readonly ContentPart[] {
  return text ? [{type: 'text', text}] : [];
}
