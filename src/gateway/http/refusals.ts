/** Refusals: every way in which a request can fail, as a status and a JSON body with a code and a sentence. */
import {GatewayError, type GatewayErrorCode} from '../gateway-error.js';
import {JournalError, type JournalErrorCode} from '../journal/journal.js';

/** The one table of statuses. 408, 425, 429 and 5xx tell our readers that the same may succeed later. */
export const refusalStatus = {
  'invalid-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  busy: 409,
  'already-answered': 409,
  'run-over': 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  unsupported: 422,
  'profile-missing': 422,
  'auth-required': 424,
  'too-many-sessions': 429,
  'too-many-connections': 429,
  'agent-failed': 502,
  overloaded: 503,
  stopping: 503,
} satisfies Record<GatewayErrorCode, number>;

/** What a refused reader gets. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {readonly error: string; readonly code: string; readonly [detail: string]: unknown};
  /** True when the fault is ours: whoever runs the gateway must hear of it. */
  readonly isFault: boolean;
}

/** The refusal for whatever was thrown. What was not meant for readers is told to none of them. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof GatewayError) return refusalOfError(thrown);
  const said = thrown instanceof JournalError ? journalSentences[thrown.code] : undefined;
  if (said) return {...refusalOfError(new GatewayError(...said)), isFault: said[0] !== 'not-found'};
  const error = 'The gateway failed at this request. Try again; whoever runs it finds the cause in its log.';
  return {status: 500, headers: {}, body: {error, code: 'internal'}, isFault: true};
}

const journalSentences: Partial<Record<JournalErrorCode, readonly [GatewayErrorCode, string]>> = {
  'unknown-session': ['not-found', 'There is no such session. It may have been removed.'],
  closed: ['stopping', 'The gateway is stopping. Try again when it is back.'],
  full: ['overloaded', 'The disk of the gateway is full. Make room, then try again.'],
};

function refusalOfError({code, message, details}: GatewayError): Refusal {
  return {
    status: refusalStatus[code],
    headers: {...headersOf[code], ...allowOf(details)},
    body: {...details, error: message, code},
    isFault: false,
  };
}

const headersOf: Partial<Record<GatewayErrorCode, Readonly<Record<string, string>>>> = {
  unauthorized: {'www-authenticate': 'Bearer realm="hermes-elements"'},
  overloaded: {'retry-after': '5'},
  stopping: {'retry-after': '5'},
  'too-many-connections': {'retry-after': '5'},
};

function allowOf({allow}: GatewayError['details']): {allow?: string} {
  return Array.isArray(allow) ? {allow: allow.join(', ')} : {};
}
