/**
 * Draws a block of `flow` (`page -> gateway -> agent`, a line each) in a frame that can reach nothing: an example of what a
 * page gives as `figure` for renderers it does not trust with its own document, or that its policy forbids.
 *
 * The frame is sandboxed without `allow-same-origin` and answers over a port that only this drawing has. What it draws
 * with may insert style elements or evaluate strings, as far as its own policy (demo/server/files.ts) lets it.
 * `frame-src 'self'` in the page's policy keeps it from leaving for another address with what it was told.
 */

/** However much the frame asks for. */
const MOST = 2000;

const sheet = new window.CSSStyleSheet();
sheet.replaceSync(`
iframe { display: block; inline-size: 100%; block-size: 0; border: 0; }
pre { margin: 0; font: 0.875em/1.5 var(--hermes-font-mono, monospace); white-space: pre-wrap; }
p { margin: 0 0 0.5em; font-size: 0.875em; }
`);

/** A box with the frame. Until the frame has drawn, and if it never does, the source stands there. */
export async function drawFlow(code) {
  const box = document.createElement('div');
  const root = box.attachShadow({mode: 'open'});
  root.adoptedStyleSheets = [sheet];
  const source = document.createElement('pre');
  source.textContent = code;
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.title = 'Diagram';
  frame.src = '/figures/flow-frame.html';
  // A frame that is moved in the page loads again, and is told again.
  frame.addEventListener('load', () => {
    const {port1, port2} = new window.MessageChannel();
    port1.onmessage = ({data}) => {
      if (data.failed === undefined) show(frame, source, data.height);
      else root.replaceChildren(sentence(data.failed), source);
    };
    // Its origin is none that could be named.
    frame.contentWindow.postMessage({code}, '*', [port2]);
  });
  root.append(source, frame);
  return box;
}

function show(frame, source, height) {
  source.remove();
  frame.style.blockSize = `${Math.min(MOST, Math.max(0, Number(height) || 0))}px`;
}

function sentence(text) {
  const line = document.createElement('p');
  line.textContent = String(text);
  return line;
}
