/**
 * The browser tests: `npm run test:browser`, one file with `-- --files test/browser/NAME.test.ts`, again on each change
 * with `-- --watch`. HERMES_ENGINES=chromium leaves the other engines out.
 */
import {esbuildPlugin} from '@web/dev-server-esbuild';
import {defaultReporter} from '@web/test-runner';
import {root} from './bootstrap.mjs';
import {launcher, wantedEngines} from './browsers.mjs';
import {middleware} from './browser/server.mjs';
import {browserCounts} from './counts.mjs';
import {pagePlugin} from './page-plugin.mjs';

const {HERMES_MONKEY_RUNS = '0', HERMES_MONKEY_MS = '2000'} = process.env;

export default {
  rootDir: root,
  files: ['test/browser/**/*.test.ts'],
  browsers: await Promise.all(wantedEngines().map(launcher)),
  plugins: [esbuildPlugin({ts: true, tsconfig: `${root}tsconfig.json`, target: 'es2022'}), pagePlugin()],
  middleware,
  nodeResolve: {exportConditions: ['development']},
  // One page at a time and engine: WebDriver then has a top-level page and mouse actions.
  concurrency: 1,
  concurrentBrowsers: 3,
  // Long, since machines are shared: a test waits for facts, and is over when they are there.
  testFramework: {config: {timeout: 30_000}},
  testsStartTimeout: 120_000,
  // Long runs of random clicks say how long they are; see test/browser/faults/monkey.test.ts.
  testsFinishTimeout: 600_000 + Number(HERMES_MONKEY_RUNS) * (Number(HERMES_MONKEY_MS) + 2000),
  browserStartTimeout: 60_000,
  // Lit says in each file that it is in development mode.
  filterBrowserLogs: ({args}) => !String(args[0]).startsWith('Lit is in dev mode'),
  reporters: [defaultReporter({reportTestProgress: false}), browserCounts(process.env.HERMES_COUNTS)],
};
