/**
 * Permission policy: which option of a request a profile chooses by itself, or that the reader is asked.
 *
 * Option ids are free text and their order differs from agent to agent; only their kind says what they mean.
 */
import type {PermissionPolicy} from '../profiles/profile.js';

/** An option of a request, as far as a choice needs it. */
export interface PermissionChoice {
  readonly optionId: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always`, or something newer. */
  readonly kind: string;
}

// Once before always: nobody asked us to change what the agent may do from now on.
const allowing = ['allow_once', 'allow_always'];
const rejecting = ['reject_once', 'reject_always'];

/** Tool kinds that change nothing. Others, and those nobody named, are asked about. */
const reading: ReadonlySet<string> = new Set(['read', 'search']);

/** What the policy chooses for a request about a tool of a kind; null to ask the reader. */
export function chooseByPolicy(
  policy: PermissionPolicy,
  options: readonly PermissionChoice[],
  toolKind: string | null,
): PermissionChoice | null {
  return choices[policy](options, toolKind);
}

/** The option that refuses with the least effect; null when there is none. */
export function rejection(options: readonly PermissionChoice[]): PermissionChoice | null {
  return firstOfKind(options, rejecting);
}

const choices = {
  ask: () => null,
  'allow-reads': (options, toolKind) =>
    toolKind !== null && reading.has(toolKind) ? allowance(options) : null,
  'allow-all': (options) => allowance(options),
  deny: (options) => rejection(options),
} satisfies Record<
  PermissionPolicy,
  (options: readonly PermissionChoice[], toolKind: string | null) => PermissionChoice | null
>;

// Reasonix asks its questions as a permission with one allowing option for each answer: that is the reader's to choose.
function allowance(options: readonly PermissionChoice[]): PermissionChoice | null {
  const isQuestion = options.filter(({kind}) => kind === 'allow_once').length > 1;
  return isQuestion ? null : firstOfKind(options, allowing);
}

function firstOfKind(
  options: readonly PermissionChoice[],
  kinds: readonly string[],
): PermissionChoice | null {
  for (const kind of kinds) {
    const found = options.find((option) => option.kind === kind);
    if (found) return found;
  }
  return null;
}
