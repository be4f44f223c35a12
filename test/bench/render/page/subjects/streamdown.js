/** Streamdown, given the text so far once a frame. */
import {createElement} from 'react';
import {createRoot} from 'react-dom/client';
import {Streamdown} from 'streamdown';

export default function streamdown(content) {
  const root = createRoot(content);
  let text = '';
  return {
    push: (delta) => (text += delta),
    drawn: () => root.render(createElement(Streamdown, {isAnimating: true}, text)),
    end: () => root.render(createElement(Streamdown, {isAnimating: false}, text)),
  };
}
