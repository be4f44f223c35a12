/** What a page adds to read and write in one place: one lazy chunk of the script-tag file. */
export {HermesComposer} from './hermes-composer.js';
export {HermesRuntimePicker} from './hermes-runtime-picker.js';
