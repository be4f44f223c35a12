/** The script-tag file: registers the elements, and exports the classes for module scripts. */
import './define.js';

export * from './index.js';
