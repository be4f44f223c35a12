/** The demo's player, as middleware: journeys read the recordings from the very server that `npm start` runs. */
import {register} from 'tsx/esm/api';

// The player is TypeScript, and the test runner's configuration is plain Node.
const unregister = register();
const {createPlayer} = await import('../../../demo/server/player.ts');
await unregister();

const answer = createPlayer();

export const player = (context, next) => {
  const {req, res} = context;
  if (!/^\/(?:api|play)\//.test(context.path)) return next();
  if (!answer(req, res)) return next();
  // The player writes by itself, for as long as it takes; Koa stays out.
  context.respond = false;
  return undefined;
};
