/** The whole text parsed and put in place again, once a frame. */
import {marked} from 'marked';

export default function reparse(content) {
  let text = '';
  return {
    push: (delta) => (text += delta),
    drawn: () => (content.innerHTML = marked.parse(text)),
  };
}
