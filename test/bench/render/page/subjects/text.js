/** One text node that grows: the least there is to draw. */
/* global document */
export default function text(content) {
  const node = document.createTextNode('');
  content.style.whiteSpace = 'pre-wrap';
  content.append(node);
  return {push: (delta) => node.appendData(delta)};
}
