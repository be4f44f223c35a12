/** Writes docs/bug-families.md from the names of the tests: `npm run families`. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {tsImport} from 'tsx/esm/api';
import {root} from './bootstrap.mjs';

const {familyDocument} = await tsImport('./unit/bug-families/document.ts', import.meta.url);
writeFileSync(join(root, 'docs/bug-families.md'), familyDocument());
