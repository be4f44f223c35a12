/** Registers every element under its own name, once a page, however many copies are loaded. */
import {HermesSession, HermesTranscript, HermesTurn} from './elements/index.js';

/** Sessions first: what stands in the page is upgraded in this order, and providers must be there before consumers. */
const elements = {
  'hermes-session': HermesSession,
  'hermes-transcript': HermesTranscript,
  'hermes-turn': HermesTurn,
};

for (const [name, element] of Object.entries(elements)) {
  const known = customElements.get(name) as {version?: string} | undefined;
  if (!known) customElements.define(name, element);
  else if (known.version !== element.version)
    console.warn(
      `<${name}> is already registered by hermes-elements ${known.version}; ${element.version} is not used.`,
    );
}
