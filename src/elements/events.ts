/**
 * What elements tell their page. Facts are past tense. A request is what the reader wants: a listener that cancels it
 * takes it over, else the element does it, after the last listener was asked.
 */
import type {Artifact, ControlDetails, TurnAnchor} from '../anchor/index.js';
import type {Session} from '../session/index.js';

/** Bubbles, and crosses shadow roots. Many listeners read its fields; none can change them for the next. */
abstract class HermesEvent extends Event {
  constructor(type: keyof HermesEventMap, fields: object, cancelable = false) {
    super(type, {bubbles: true, composed: true, cancelable});
    for (const [name, value] of Object.entries(fields))
      Object.defineProperty(this, name, {value, enumerable: true});
  }
}

/** The gateway made a session for the first prompt of an element that named none. */
export class HermesSessionCreatedEvent extends HermesEvent {
  declare readonly sessionId: string;

  constructor(sessionId: string) {
    super('hermes-session-created', {sessionId});
  }
}

/** A turn began, or was found running. */
export class HermesTurnStartedEvent extends HermesEvent {
  declare readonly turn: TurnAnchor;

  constructor(turn: TurnAnchor) {
    super('hermes-turn-started', {turn});
  }
}

/** A turn has ended. Comes again, with the next revision, if its end or its answer is found to be another. */
export class HermesTurnSettledEvent extends HermesEvent {
  declare readonly turn: TurnAnchor;
  /** From 1. */
  declare readonly revision: number;

  constructor(turn: TurnAnchor, revision: number) {
    super('hermes-turn-settled', {turn, revision});
  }
}

/** The connection is in another state, or the session has another problem, or none. */
export class HermesConnectionChangedEvent extends HermesEvent {
  declare readonly connection: Session['connection'];
  declare readonly problem: Session['problem'];

  constructor(connection: Session['connection'], problem: Session['problem']) {
    super('hermes-connection-changed', {connection, problem});
  }
}

/** A turn wrote or changed a file, or referred to one. */
export class HermesArtifactAddedEvent extends HermesEvent {
  declare readonly turn: TurnAnchor;
  declare readonly artifact: Artifact;

  constructor(turn: TurnAnchor, artifact: Artifact) {
    super('hermes-artifact-added', {turn, artifact});
  }
}

/** The reader sends a prompt. Unless cancelled, it is posted and its run is followed. */
export class HermesSendRequestEvent extends HermesEvent {
  declare readonly prompt: string;
  /** ACP content blocks beside the text. */
  declare readonly attachments: readonly object[];
  /** Text of the page that goes before the prompt and is not shown. */
  declare readonly pageContext: string | null;

  constructor(prompt: string, attachments: readonly object[] = [], pageContext: string | null = null) {
    super('hermes-send-request', {prompt, attachments, pageContext}, true);
  }
}

/** The reader stops the run. Unless cancelled, the server is asked to; the turn ends when it says so. */
export class HermesCancelRequestEvent extends HermesEvent {
  /** The turn whose run is meant; null for whatever runs in the session. */
  declare readonly turn: TurnAnchor | null;

  constructor(turn: TurnAnchor | null) {
    super('hermes-cancel-request', {turn}, true);
  }
}

/** The reader gives a running agent a further instruction. Unless cancelled, it is posted. */
export class HermesSteerRequestEvent extends HermesEvent {
  declare readonly text: string;

  constructor(text: string) {
    super('hermes-steer-request', {text}, true);
  }
}

/** The reader allowed or refused what the agent wants to do. Unless cancelled, the choice is posted. */
export class HermesPermissionRequestEvent extends HermesEvent {
  declare readonly turn: TurnAnchor;
  declare readonly control: ControlDetails;
  /** The id of the option. */
  declare readonly choice: string;

  constructor(turn: TurnAnchor, control: ControlDetails, choice: string) {
    super('hermes-permission-request', {turn, control, choice}, true);
  }
}

/** The reader answered a question of the agent. Unless cancelled, the answer is posted. */
export class HermesClarifyRequestEvent extends HermesEvent {
  declare readonly turn: TurnAnchor;
  declare readonly control: ControlDetails;
  /** The id of a choice, or the reader's own words. */
  declare readonly answer: string;

  constructor(turn: TurnAnchor, control: ControlDetails, answer: string) {
    super('hermes-clarify-request', {turn, control, answer}, true);
  }
}

/** The reader chose the runtime of new sessions. Unless cancelled, the gateway is asked to take it. */
export class HermesRuntimeRequestEvent extends HermesEvent {
  declare readonly runtime: string;

  constructor(runtime: string) {
    super('hermes-runtime-request', {runtime}, true);
  }
}

/** New sessions get another runtime from now on. */
export class HermesRuntimeChangedEvent extends HermesEvent {
  declare readonly runtime: string | null;

  constructor(runtime: string | null) {
    super('hermes-runtime-changed', {runtime});
  }
}

/** The reader set the agent otherwise. Unless cancelled, the server is asked to; it has changed when the stream says so. */
export class HermesSettingRequestEvent extends HermesEvent {
  declare readonly setting: 'mode' | 'option';
  /** The mode, or the id of the option. */
  declare readonly id: string;
  declare readonly value: string | boolean;

  constructor(setting: 'mode' | 'option', id: string, value: string | boolean) {
    super('hermes-setting-request', {setting, id, value}, true);
  }
}

/** The reader wants to see a file of the turn. Only a page can open files: one that does, cancels this. */
export class HermesArtifactRequestEvent extends HermesEvent {
  declare readonly turn: TurnAnchor;
  declare readonly artifact: Artifact;

  constructor(turn: TurnAnchor, artifact: Artifact) {
    super('hermes-artifact-request', {turn, artifact}, true);
  }
}

/** The reader followed a link. Unless cancelled, it opens in a new tab. */
export class HermesLinkRequestEvent extends HermesEvent {
  declare readonly url: string;

  constructor(url: string) {
    super('hermes-link-request', {url}, true);
  }
}

/** What is selected of one row. */
export interface QuotedRange {
  readonly itemId: string;
  /** Where it begins and ends in the text the row shows, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The reader quotes what they selected in a turn. Unless cancelled, it goes into the conversation's composer, else to the clipboard. */
export class HermesQuoteRequestEvent extends HermesEvent {
  declare readonly turnId: string;
  /** All of it. */
  declare readonly text: string;
  /** By row, in their order; there is at least one. */
  declare readonly ranges: readonly QuotedRange[];

  constructor(turnId: string, text: string, ranges: readonly QuotedRange[]) {
    super('hermes-quote-request', {turnId, text, ranges}, true);
  }
}

/** Every event by its name. */
export interface HermesEventMap {
  'hermes-session-created': HermesSessionCreatedEvent;
  'hermes-turn-started': HermesTurnStartedEvent;
  'hermes-turn-settled': HermesTurnSettledEvent;
  'hermes-connection-changed': HermesConnectionChangedEvent;
  'hermes-artifact-added': HermesArtifactAddedEvent;
  'hermes-send-request': HermesSendRequestEvent;
  'hermes-cancel-request': HermesCancelRequestEvent;
  'hermes-steer-request': HermesSteerRequestEvent;
  'hermes-permission-request': HermesPermissionRequestEvent;
  'hermes-clarify-request': HermesClarifyRequestEvent;
  'hermes-runtime-request': HermesRuntimeRequestEvent;
  'hermes-runtime-changed': HermesRuntimeChangedEvent;
  'hermes-setting-request': HermesSettingRequestEvent;
  'hermes-artifact-request': HermesArtifactRequestEvent;
  'hermes-link-request': HermesLinkRequestEvent;
  'hermes-quote-request': HermesQuoteRequestEvent;
}

declare global {
  // What elements, documents and windows listen for.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the list stands once, above
  interface GlobalEventHandlersEventMap extends HermesEventMap {}
}
