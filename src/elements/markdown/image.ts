/** An image: one from elsewhere stands behind a button until the page or the reader allows it, for asking tells who asks. */
import type {MarkdownAttributes} from '../../markdown/index.js';
import type {ProseHost} from './prose-host.js';

/** What raw HTML says of its room, in pixels or parts of the line. */
interface Size {
  readonly width: string;
  readonly height: string;
}

export function image(
  {src = '', alt = '', title}: MarkdownAttributes,
  host: ProseHost,
  size?: Size,
): HTMLElement {
  const found = host.image(src);
  if (!found) {
    const text = document.createElement('span');
    text.className = 'image';
    text.textContent = alt || src;
    return text;
  }
  if (found.shown) return picture(found.src, alt, title, size);
  const button = document.createElement('button');
  Object.assign(button, {type: 'button', className: 'image'});
  button.setAttribute('part', 'image-button');
  button.append(alt || '', ' ');
  const from = document.createElement('small');
  from.textContent = host.words.showImage(new URL(found.src).host);
  button.append(from);
  button.addEventListener('click', (event) => {
    // In a link, it is the image that was asked for.
    event.preventDefault();
    event.stopPropagation();
    button.replaceWith(picture(found.src, alt, title, size));
  });
  return button;
}

function picture(src: string, alt: string, title: string | undefined, size?: Size): HTMLElement {
  const image = new Image();
  // Nothing of the page is told to whoever serves it.
  Object.assign(image, {
    referrerPolicy: 'no-referrer',
    loading: 'lazy',
    decoding: 'async',
    alt,
    title: title ?? '',
  });
  for (const [name, value] of Object.entries(size ?? {}))
    if (value !== '') image.setAttribute(name, value as string);
  image.src = src;
  return image;
}
