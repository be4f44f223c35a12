/** How the buttons and the field look by which the reader answers, and that they are there. They come with what draws them. */
import {css, noChange} from 'lit';
import {Directive, directive, type ElementPart} from 'lit/directive.js';
import {asks} from './asks.js';

const sheet = css`
  .control:not([part~='approval']) pre {
    font: inherit;
    background: none;
    padding: 0;
  }
  .control .icon.ask {
    stroke: var(--_warning);
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.5em;
    margin-block-start: 0.6em;
  }
  .choices[inert] {
    opacity: 0.5;
  }
  .choices button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .choices label {
    flex: 1 1 12em;
  }
  textarea {
    display: block;
    box-sizing: border-box;
    inline-size: 100%;
    padding: 0.3em 0.6em;
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid var(--_line);
    border-radius: 0.4em;
    field-sizing: content;
  }
`.styleSheet;

class Asking extends Directive {
  render(_isPending: boolean) {
    return noChange;
  }

  override update({element}: ElementPart, [isPending]: [isPending: boolean]) {
    // Those that are gone are of no use to anybody.
    for (const one of asks) if (!one.isConnected) asks.delete(one);
    if (isPending) asks.add(element);
    else asks.delete(element);
    // It stands in its root once this update is through.
    queueMicrotask(() => {
      const root = element.getRootNode();
      if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet))
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    });
    return noChange;
  }
}

/** In an element's tag: `<div ${asking(true)}>` while it waits for an answer. The root it stands in adopts the styles. */
export const asking = directive(Asking);
