/** What the reader of a stream has at its end, drawing after each piece. */
import {MarkdownStream, type MarkdownNode, type MarkdownOptions} from '../../../src/markdown/index.js';

export function streamed(pieces: Iterable<string>, options?: MarkdownOptions): readonly MarkdownNode[] {
  const stream = new MarkdownStream(options);
  const blocks: MarkdownNode[] = [];
  for (const piece of pieces) {
    stream.write(piece);
    blocks.push(...stream.take());
    stream.tail();
  }
  stream.end();
  blocks.push(...stream.take());
  const {blocks: mended, notes} = stream.mend();
  for (const [place, [, block]] of mended) blocks[place] = block;
  return notes ? [...blocks, notes] : blocks;
}
