/** Registers every element under its own name, once a page, however many copies are loaded. */
import {HermesTranscript} from './elements/index.js';

const elements = {
  'hermes-transcript': HermesTranscript,
};

for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
