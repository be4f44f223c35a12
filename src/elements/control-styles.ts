/** How the buttons and the field look by which the reader answers. They come with what draws them. */
import {css, noChange} from 'lit';
import {Directive, directive, type ElementPart} from 'lit/directive.js';

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

class Styled extends Directive {
  render() {
    return noChange;
  }

  override update({element}: ElementPart) {
    // It stands in its root once this update is through.
    queueMicrotask(() => {
      const root = element.getRootNode();
      if (root instanceof ShadowRoot && sheet && !root.adoptedStyleSheets.includes(sheet))
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    });
    return noChange;
  }
}

/** In an element's tag: `<div ${styled()}>`. The root it stands in adopts them. */
export const styled = directive(Styled);
