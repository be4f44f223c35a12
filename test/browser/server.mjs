/**
 * What the browser tests are served besides the project's files (fixtures are at /test/fixtures): Koa middleware,
 * asked in order. Add a route as one entry.
 */
import {faultPage} from './faults/server.mjs';
import {player} from './journeys/player.mjs';
import {policyPages} from './policy/pages.mjs';
import {strictPage} from './strict-page.mjs';

export const middleware = [strictPage, policyPages, faultPage, player];
