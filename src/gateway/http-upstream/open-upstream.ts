/** Hermes over HTTP as a transport of ACP lines: what stands behind it is in this process, so all else is as with others. */
import {PassThrough} from 'node:stream';
import {AgentError, type OpenAgentOptions, type UpstreamLaunch} from '../agent/agent.js';
import type {AgentTransport, TransportEnd} from '../agent/agent-transport.js';
import {objectAt, textAt, valueAt} from '../sessions/loose.js';
import {AcpLines} from './acp-lines.js';
import {HermesApi, UpstreamError} from './hermes-api.js';
import {UpstreamAgent, type UpstreamFound} from './upstream-agent.js';

/** In ms; a keepalive comes every 30 s. */
export const upstreamTimes = {silenceMs: 90_000, pollMs: 2000, patienceMs: 60_000};

/** Resolves when Hermes answers. Rejects with an `AgentError` when nobody does, or somebody else. */
export async function openUpstream(
  {upstream}: UpstreamLaunch,
  {clock, limits}: Pick<OpenAgentOptions, 'clock' | 'limits'>,
  signal: AbortSignal,
): Promise<AgentTransport> {
  const times = {...upstreamTimes, ...upstream.times};
  const api = new HermesApi({url: upstream.url, key: upstream.key, clock, silenceMs: times.silenceMs});
  const found = await lookAt(api, signal);
  const ending = new AbortController();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines = new AcpLines(output);
  const agent = new UpstreamAgent({launch: upstream, found, api, lines, clock, times, signal: ending.signal});
  const ended = lines
    .read(input, limits.maxLineBytes, agent)
    .then(() => agent.close())
    .catch(() => {})
    .then((): TransportEnd => {
      ending.abort();
      output.end();
      return {code: null, signal: null};
    });
  return {
    input,
    output,
    stderr: null,
    ended,
    // All that may take time is a request; without them it ends by itself.
    signal: () => ending.abort(),
    release: () => {
      ending.abort();
      input.destroy();
      output.destroy();
    },
  };
}

async function lookAt(api: HermesApi, signal: AbortSignal): Promise<UpstreamFound> {
  try {
    const capabilities = await api.get('/v1/capabilities', signal);
    const features = objectAt(capabilities, 'features');
    if (valueAt(features, 'run_submission') === true && valueAt(features, 'run_events_sse') === true) {
      return {isAuthorized: true, version: textAt(capabilities, 'version')};
    }
  } catch (error) {
    const code = error instanceof UpstreamError ? error.code : 'failed';
    if (code === 'unauthorized') return {isAuthorized: false, version: null};
    // Older ones have runs and do not say so.
    if (code === 'not-found' && (await isHealthy(api, signal))) return {isAuthorized: true, version: null};
    if (code === 'unreachable') {
      const message =
        'Hermes does not answer at its address. Start it with its API server, or correct the address.';
      throw new AgentError('not-found', message, null, {cause: error});
    }
  }
  const message =
    'What answers at the address is no Hermes Agent that takes runs. Correct the address, or update it.';
  throw new AgentError('protocol', message);
}

async function isHealthy(api: HermesApi, signal: AbortSignal): Promise<boolean> {
  try {
    return textAt(await api.get('/health', signal), 'status') === 'ok';
  } catch {
    return false;
  }
}
