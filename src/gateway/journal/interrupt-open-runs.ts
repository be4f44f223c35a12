/** The end of runs whose gateway died: at a start, every run without a terminal event gets one. */
import type {RunEvent} from '../../protocol/index.js';
import type {Clock} from '../clock.js';
import {framesOfRun} from './frames-of-run.js';
import type {Journal, RunRecord} from './journal.js';

/**
 * Ends what a dead gateway left, and says which runs that were. Before any session is opened; or of one session before it is
 * opened anew, since a full disk leaves a run without its end, too.
 */
export async function interruptOpenRuns(
  journal: Journal,
  clock: Clock,
  session: string | null = null,
): Promise<readonly RunRecord[]> {
  const open = (await journal.openRuns()).filter((run) => session === null || run.session === session);
  const why = session === null ? gatewayDied : unkept;
  for (const run of open) await interrupt(journal, run, why, clock.now());
  return open;
}

interface Reason {
  readonly error: string;
  readonly code: string;
}

const gatewayDied: Reason = {
  error: 'The gateway was stopped while the agent worked.',
  code: 'gateway_stopped',
};

const unkept: Reason = {
  error: 'What the agent said could no longer be kept, so it was stopped.',
  code: 'journal_failed',
};

async function interrupt(journal: Journal, run: RunRecord, why: Reason, now: number): Promise<void> {
  const left = new OpenEnds();
  for await (const {data} of framesOfRun(journal, run.id)) left.take(JSON.parse(data) as RunEvent);
  const events = left.endings(why).map((fields, n) => {
    const head = {run_id: run.id, seq: run.lastSeq + 1 + n, session_id: run.session, timestamp: now / 1000};
    return {...head, ...fields} as RunEvent;
  });
  const source = JSON.stringify({t: now, fact: {type: 'failed', ...why}});
  await journal.append(await journal.claim(run.session), {events, source, at: now});
}

type ToolEvent = RunEvent<'tool.started'> | RunEvent<'tool.updated'>;

/** What a run has begun and not ended. */
class OpenEnds {
  readonly #tools = new Map<string, ToolEvent>();
  /** The call each permission is for. */
  readonly #permissions = new Map<string, string | undefined>();
  readonly #denied = new Set<string>();

  take(event: RunEvent): void {
    switch (event.event) {
      case 'tool.started':
        if (event.tool_call_id !== undefined) this.#tools.set(event.tool_call_id, event);
        return;
      case 'tool.updated': {
        // One that is over can still become richer.
        const id = event.tool_call_id;
        if (id !== undefined && this.#tools.has(id)) this.#tools.set(id, event);
        return;
      }
      case 'tool.completed':
        this.#tools.delete(event.tool_call_id ?? '');
        return;
      case 'permission.requested':
        this.#permissions.set(event.permission_id, event.tool_call_id);
        return;
      case 'permission.resolved': {
        const call = this.#permissions.get(event.permission_id);
        this.#permissions.delete(event.permission_id);
        if (call !== undefined && event.option_kind?.startsWith('reject')) this.#denied.add(call);
        return;
      }
      default:
        return;
    }
  }

  /** The events, without their heads, that end all of it, the run's terminal event last. */
  endings({error, code}: Reason): readonly object[] {
    return [
      ...[...this.#permissions.keys()].map((permission_id) => ({
        event: 'permission.resolved',
        permission_id,
        outcome: 'cancelled',
        by: 'cancel',
      })),
      ...[...this.#tools].map(([id, tool]) => ({
        ...toolFields(tool),
        event: 'tool.completed',
        status: this.#denied.has(id) ? 'denied' : 'interrupted',
        error: true,
      })),
      {
        event: 'run.failed',
        error,
        code,
        hint: 'Send the prompt again. What the agent had done until then stands.',
        terminal_state: 'interrupted',
      },
    ];
  }
}

function toolFields(tool: ToolEvent): object {
  const {event: _event, run_id: _run, seq: _seq, session_id: _session, timestamp: _time, ...fields} = tool;
  const {preview: _preview, ...rest} = fields as {preview?: string};
  return rest;
}
