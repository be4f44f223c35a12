/**
 * The script-tag file: what reads and, once that stands, what a reader writes with. The classic file has the first alone:
 * most of its pages only show.
 */
import {register} from './register.js';
import {NOT_LOADED} from './session/index.js';

// What they read does not wait for what they write with.
customElements
  .whenDefined('hermes-turn')
  .then(() => import('./elements/panel.js'))
  .then(({HermesComposer, HermesRuntimePicker}) => {
    register('hermes-composer', HermesComposer);
    register('hermes-runtime-picker', HermesRuntimePicker);
  })
  .catch((cause: unknown) => {
    console.error(NOT_LOADED, cause);
  });

export * from './reading.js';
