/** streaming-markdown, as its own page says how. */
import {default_renderer, parser, parser_end, parser_write} from 'streaming-markdown';

export default function smd(content) {
  const stream = parser(default_renderer(content));
  return {push: (delta) => parser_write(stream, delta), end: () => parser_end(stream)};
}
