/**
 * The permission desk of a session: each request of the agent under a public id of our own, until the reader, the policy,
 * a timeout or a cancel answers it. By request, never by tool call, and whichever of the agent's sessions it names
 * (families E7, E8, E9 and E36 in reference/acp.md).
 */
import type {AgentPermissionRequest, JsonRpcObject, PermissionOutcome} from '../agent/agent.js';
import type {Clock} from '../clock.js';
import {GatewayError} from '../gateway-error.js';
import type {Profile} from '../profiles/profile.js';
import {
  isSessionRun,
  requestKey,
  type AcpGatewayFact,
  type PermissionAnswerer,
} from '../../protocol/index.js';
import {Countdown} from './countdown.js';
import {objectAt, objectsAt, textAt} from './loose.js';
import {chooseByPolicy, rejection, type PermissionChoice} from './permission-policy.js';

/** What the desk tells its session. */
export interface PermissionDeskOptions {
  readonly profile: Profile;
  readonly clock: Clock;
  /** Before the request is read, and again before its answer goes out. */
  tell(fact: AcpGatewayFact): void;
  /** How many are open, after each change. */
  changed(open: number): void;
}

interface OpenPermission {
  readonly id: string;
  readonly runId: string;
  readonly options: readonly PermissionChoice[];
  readonly deadline: Countdown | null;
  settle(outcome: PermissionOutcome, by: PermissionAnswerer): void;
}

/** How a request ended, for those who answer it too late. */
export interface PermissionAnswer {
  readonly outcome: PermissionOutcome['outcome'];
  readonly optionId: string | null;
}

/** Answers are remembered for the late ones of other panels, which come within seconds. */
const REMEMBERED = 100;

export class PermissionDesk {
  readonly #open = new Map<string, OpenPermission>();
  readonly #answered = new Map<string, PermissionAnswer>();
  readonly #announced = new Map<string, {readonly id: string; readonly runId: string}>();
  /** What the calls of the turn do, for requests that do not say (family E10). */
  readonly #toolKinds = new Map<string, string>();
  #number = 0;
  #numbersOf = '';

  constructor(private readonly options: PermissionDeskOptions) {}

  /** Public ids of what the agent waits for, oldest first. */
  get pending(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Gives a request its public id, before anybody reads its line. */
  announce(requestId: unknown, runId: string): void {
    if (runId !== this.#numbersOf) [this.#numbersOf, this.#number] = [runId, 0];
    const {clock, profile} = this.options;
    const wait = profile.timeouts.permission;
    // A session's own requests go on counting after a restart, of which only the clock knows.
    const stem = isSessionRun(runId) ? `${runId}.p${clock.now().toString(36)}-` : `${runId}.p`;
    const id = `${stem}${++this.#number}`;
    this.#announced.set(requestKey(requestId), {id, runId});
    const expires = wait === null ? {} : {expiresAt: clock.now() + wait};
    this.options.tell({type: 'permission', requestId, permissionId: id, ...expires});
  }

  /** Takes note of an update of the turn. */
  heard(update: JsonRpcObject): void {
    const call = textAt(update, 'toolCallId');
    const kind = textAt(update, 'kind');
    if (call !== null && kind !== null) this.#toolKinds.set(call, kind);
  }

  /** The turn is over, and its calls with it. */
  forgetTools(): void {
    this.#toolKinds.clear();
  }

  /** The answer to a request. `cancelled`: its run is being stopped, so nobody is asked. */
  ask(request: AgentPermissionRequest, cancelled: boolean): Promise<PermissionOutcome> {
    const key = requestKey(request.requestId);
    const announced = this.#announced.get(key);
    if (!announced) throw new Error('A permission was asked before its line was read.');
    this.#announced.delete(key);
    const choices = readChoices(request.params);
    return new Promise((resolve) => {
      const open = this.#opened(announced, choices, resolve);
      if (cancelled) return open.settle({outcome: 'cancelled'}, 'cancel');
      // The agent takes it back, or is gone; it has had `cancelled` for an answer.
      const takenBack = () => open.settle({outcome: 'cancelled'}, 'cancel');
      request.signal.addEventListener('abort', takenBack, {once: true});
      if (request.signal.aborted) return takenBack();
      const choice = chooseByPolicy(this.options.profile.policy, choices, this.#kindOf(request));
      if (choice) open.settle(selected(choice), 'policy');
    });
  }

  /** The reader's answer. Refuses an option the request does not have, and all answers but the first. */
  answer(permissionId: string, optionId: string): void {
    const open = this.#open.get(permissionId);
    if (!open) {
      const answer = this.#answered.get(permissionId);
      throw answer ? alreadyAnswered(answer) : unknownPermission();
    }
    const choice = open.options.find((option) => option.optionId === optionId);
    if (!choice) {
      throw new GatewayError(
        'invalid-request',
        'The agent offers no such option. Choose one of those it named.',
        {
          options: open.options.map((option) => option.optionId),
        },
      );
    }
    open.settle(selected(choice), 'reader');
  }

  /** True if the permission is open or was answered not long ago. */
  knows(permissionId: string): boolean {
    return this.#open.has(permissionId) || this.#answered.has(permissionId);
  }

  /** Settles all as cancelled: the run is stopped, or the agent is gone (family E11). */
  cancelAll(): void {
    for (const open of [...this.#open.values()]) open.settle({outcome: 'cancelled'}, 'cancel');
  }

  #kindOf({params}: AgentPermissionRequest): string | null {
    const call = objectAt(params, 'toolCall');
    return textAt(call, 'kind') ?? this.#toolKinds.get(textAt(call, 'toolCallId') ?? '') ?? null;
  }

  #opened(
    {id, runId}: {readonly id: string; readonly runId: string},
    options: readonly PermissionChoice[],
    resolve: (outcome: PermissionOutcome) => void,
  ): OpenPermission {
    const deadline = this.#deadline(options, (outcome) => open.settle(outcome, 'timeout'));
    const open: OpenPermission = {
      id,
      runId,
      options,
      deadline,
      settle: (outcome, by) => {
        if (!this.#open.delete(id)) return;
        deadline?.stop();
        this.#remember(id, outcome);
        this.options.tell({type: 'permission-by', permissionId: id, by});
        resolve(outcome);
        this.options.changed(this.#open.size);
      },
    };
    this.#open.set(id, open);
    deadline?.start();
    this.options.changed(this.#open.size);
    return open;
  }

  // A timeout refuses and the turn goes on; `cancelled` would tell the agent that it does not (families E12, E13).
  #deadline(
    options: readonly PermissionChoice[],
    expire: (outcome: PermissionOutcome) => void,
  ): Countdown | null {
    const {clock, profile} = this.options;
    const wait = profile.timeouts.permission;
    if (wait === null) return null;
    const choice = rejection(options);
    return new Countdown(clock, wait, () => expire(choice ? selected(choice) : {outcome: 'cancelled'}));
  }

  #remember(id: string, outcome: PermissionOutcome): void {
    const optionId = outcome.outcome === 'selected' ? outcome.optionId : null;
    this.#answered.set(id, {outcome: outcome.outcome, optionId});
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > REMEMBERED && oldest !== undefined) this.#answered.delete(oldest);
  }
}

export function alreadyAnswered({outcome, optionId}: PermissionAnswer): GatewayError {
  return new GatewayError('already-answered', 'This was answered before; the first answer stands.', {
    outcome,
    optionId,
  });
}

export function unknownPermission(): GatewayError {
  return new GatewayError(
    'not-found',
    'There is no such permission request. Reload the session to see what is open.',
  );
}

function readChoices(params: JsonRpcObject): readonly PermissionChoice[] {
  return objectsAt(params, 'options')
    .map((option) => ({optionId: textAt(option, 'optionId') ?? '', kind: textAt(option, 'kind') ?? 'other'}))
    .filter(({optionId}) => optionId !== '');
}

function selected({optionId}: PermissionChoice): PermissionOutcome {
  return {outcome: 'selected', optionId};
}
