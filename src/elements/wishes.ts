/** What takes a wish of the reader beside controls: the button that stops a run, files; and why nothing came of it. */
import {html, nothing} from 'lit';
import type {Artifact} from '../anchor/index.js';
import type {ArtifactsRow, StatusRow} from '../scene/index.js';
import {icon} from './icons.js';
import {line} from './row-parts.js';
import type {RowView} from './rows.js';
import {safeUrl} from './safe-url.js';

/** Stops the run, where its server takes that from here. */
export function stopButton({id}: StatusRow, {strings, controls}: RowView) {
  const {sent, refusal} = controls.stateOf(id);
  return controls.canStop
    ? html`<button
          type="button"
          part="stop-button"
          ?disabled=${sent !== null}
          @keydown=${refuseRepeat}
          @click=${() => controls.stop(id)}
        >
          ${strings.stop}</button
        >${refused(refusal)}`
    : nothing;
}

/** A file: a link where it has an address; the page is asked first, and alone can open a path. */
export function artifactLink(artifact: Artifact, {id}: ArtifactsRow, {strings, controls}: RowView) {
  const {path, uri, change} = artifact;
  const href = uri && safeUrl(uri, document.baseURI);
  const words = line(icon('file'), path, change);
  const key = `${id} ${path}`;
  return href
    ? html`<a
        href=${href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        @click=${(event: Event) => controls.open(artifact) && event.preventDefault()}
        >${words}</a
      >`
    : html`<button
          type="button"
          @click=${() => controls.refuse(key, controls.open(artifact) ? null : strings.opensNothing)}
        >
          ${words}</button
        >${refused(controls.stateOf(key).refusal)}`;
}

/** Why nothing came of a wish, where it was refused. */
export function refused(refusal: string | null) {
  return refusal === null ? nothing : html`<p class="refusal" role="alert" dir="auto">${refusal}</p>`;
}

/** A key held down since before the row was there has not been pressed for it. */
export function refuseRepeat(event: KeyboardEvent) {
  if (
    event.repeat &&
    (event.key === 'Enter' || event.key === ' ') &&
    event.target instanceof HTMLButtonElement
  )
    event.preventDefault();
}
