/** What a call gave back besides text: pictures and addresses, in the blocks that MCP and ACP share. */
import {
  asObject,
  firstString,
  jsonText,
  ownList,
  ownNumber,
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
  | {
      readonly type: 'link';
      readonly uri: string;
      readonly name: string | null;
      readonly text: string | null;
      /** It is said to be a picture. */
      readonly isImage: boolean;
    }
  /** What is not drawn: sounds, files, pictures that are too large or of another kind, and whatever is newer than us. */
  | {
      readonly type: 'other';
      /** The block's own type. */
      readonly block: string;
      readonly mime: string | null;
      readonly name: string | null;
      readonly bytes: number;
    };

/** Base64 of about 3 MB. */
const LARGEST = 4_000_000;
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z\d+/]+={0,2}$/i;

/** The parts of an output that consists of blocks or is a picture; null for one that is only text. */
export function contentParts(output: string): readonly ContentPart[] | null {
  const text = output.trim();
  if (isPicture(text)) return [{type: 'image', source: text, name: null}];
  const blocks = blocksOf(text);
  return blocks && blocks.length > 0 && blocks.every(isBlock) ? blocks.flatMap(partsOf) : null;
}

/** The parts of blocks that came as such, after the output where that says something else. */
export function blockParts(blocks: readonly JsonObject[], output: string): readonly ContentPart[] {
  const texts = blocks.map((block) => ownString(block, 'text')).filter(Boolean);
  const said = texts.join('\n') === output ? null : output;
  return [...textPart(said), ...blocks.flatMap(partsOf)];
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
  const type = ownString(block, 'type') ?? '';
  const held = ownObject(block, 'resource') ?? block;
  const mime = firstString(held, 'mimeType', 'mime_type');
  const uri = firstString(held, 'uri', 'url');
  const name = firstString(block, 'title', 'name');
  const text = ownString(held, 'text');
  const data = firstString(held, 'data', 'blob');
  // Lines of 76 letters, as in mails.
  const source = `data:${mime};base64,${data?.replaceAll(/[\r\n]/g, '')}`;
  if (data !== null && isPicture(source)) return [{type: 'image', source, name: name ?? uri}];
  const isOther = data !== null || (uri === null && text === null);
  return [
    ...(uri === null ? [] : [linkTo(uri, block, mime)]),
    ...textPart(text),
    ...(isOther ? [{type: 'other' as const, block: type, mime, name, bytes: sizeOf(data, block)}] : []),
  ];
}

function linkTo(uri: string, block: JsonObject, mime: string | null): ContentPart {
  const name = firstString(block, 'title', 'name');
  const isImage = ownString(block, 'type') === 'image' && (mime ?? 'image/').startsWith('image/');
  return {type: 'link', uri, name, text: firstString(block, 'description'), isImage};
}

/** What the data hold; of a block of another shape, the JSON that it is. */
function sizeOf(data: string | null, block: JsonObject): number {
  if (data === null) return ownNumber(block, 'size') ?? jsonText(block)?.length ?? 0;
  return Math.floor((data.replace(/=+$/, '').length * 3) / 4);
}

function textPart(text: string | null): readonly ContentPart[] {
  return text ? [{type: 'text', text}] : [];
}
