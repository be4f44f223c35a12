/** A server of the gateway benchmark, in a process of its own: `floor` or `gateway`. Says what CPU it has used. */
import {endWithParent} from './children.js';
import {openFloor} from './floor.js';
import {openGateway} from './gateway.js';

/** Where the runs are read, in the order of their beginning. */
export interface Served {
  readonly port: number;
  readonly paths: readonly string[];
}

endWithParent();

const [kind, folder, agents, runs] = process.argv.slice(2) as [string, string, string, string];
const served = await (kind === 'floor' ? openFloor : openGateway)(folder, agents, Number(runs));

process.on('message', () => {
  const {user, system} = process.cpuUsage();
  process.send!(user + system);
});
process.send!(served);
