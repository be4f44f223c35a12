/** Small pictures, drawn in the text's colour. They carry no meaning of their own; words stand beside them. */
import {html, type TemplateResult} from 'lit';

const paths = {
  pending: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11',
  running: 'M8 2.5A5.5 5.5 0 1 1 2.5 8',
  error: 'm4.5 4.5 7 7m0-7-7 7',
  stopped: 'M5 5h6v6H5z',
  ask: 'M8 2.5v7m0 3v.5',
  file: 'M4 2.5h5l3 3v8H4zm5 0v3h3',
  down: 'M8 3v10m-4-4 4 4 4-4',
  up: 'M8 13V3m-4 4 4-4 4 4',
  edit: 'm3 13 .6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z',
};

/**
 * The two that stand in every row are borders of an empty element: a browser goes through all `<svg>` of a page in each frame,
 * whether something in them moves or not.
 */
type BorderName = 'completed' | 'chevron';

export type IconName = keyof typeof paths | BorderName;

export function icon(name: IconName): TemplateResult {
  return !(name in paths)
    ? html`<i class="icon ${name}"></i>`
    : html`<svg class="icon ${name}" viewBox="0 0 16 16" aria-hidden="true">
        <path d=${paths[name as keyof typeof paths]} />
      </svg>`;
}
