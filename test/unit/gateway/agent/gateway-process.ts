/** A gateway of its own to kill: opens one agent (argv: its launch and a pid folder), says so, and lives. */
import {openAgent} from '../../../../src/gateway/agent/open-agent.js';
import type {AgentLaunch} from '../../../../src/gateway/agent/agent.js';
import {systemClock} from '../../../../src/gateway/clock.js';

const [launch = '', pidFolder = ''] = process.argv.slice(2);

await openAgent(
  JSON.parse(launch) as AgentLaunch,
  {onLine: () => {}, onPermission: () => new Promise(() => {}), onExit: () => {}},
  {
    limits: {startMs: 60_000, graceMs: 60_000, maxLineBytes: 1 << 20},
    clock: systemClock,
    pidFolder,
  },
);
process.send?.('opened');
setInterval(() => {}, 1 << 30);
