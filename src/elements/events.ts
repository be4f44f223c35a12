/** What elements tell their page. Facts are past tense; a request is an intent the page may take over. */
import type {Artifact, TurnAnchor} from '../anchor/index.js';
import type {Session} from '../session/index.js';

/** Bubbles, and crosses shadow roots. */
abstract class HermesEvent extends Event {
  constructor(type: string, cancelable = false) {
    super(type, {bubbles: true, composed: true, cancelable});
  }
}

/** A turn began, or was found running. */
export class HermesTurnStartedEvent extends HermesEvent {
  constructor(readonly turn: TurnAnchor) {
    super('hermes-turn-started');
  }
}

/** A turn has ended. Comes again, with the next revision, if its end or its answer is found to be another. */
export class HermesTurnSettledEvent extends HermesEvent {
  constructor(
    readonly turn: TurnAnchor,
    /** From 1. */
    readonly revision: number,
  ) {
    super('hermes-turn-settled');
  }
}

/** The connection is in another state, or the session has another problem, or none. */
export class HermesConnectionChangedEvent extends HermesEvent {
  constructor(
    readonly connection: Session['connection'],
    readonly problem: Session['problem'],
  ) {
    super('hermes-connection-changed');
  }
}

/** A turn wrote or changed a file, or referred to one. */
export class HermesArtifactAddedEvent extends HermesEvent {
  constructor(
    readonly turn: TurnAnchor,
    readonly artifact: Artifact,
  ) {
    super('hermes-artifact-added');
  }
}

/** The reader followed a link. Unless cancelled, it opens in a new tab. */
export class HermesLinkRequestEvent extends HermesEvent {
  constructor(readonly url: string) {
    super('hermes-link-request', true);
  }
}

declare global {
  interface HTMLElementEventMap {
    'hermes-turn-started': HermesTurnStartedEvent;
    'hermes-turn-settled': HermesTurnSettledEvent;
    'hermes-connection-changed': HermesConnectionChangedEvent;
    'hermes-artifact-added': HermesArtifactAddedEvent;
    'hermes-link-request': HermesLinkRequestEvent;
  }
}
