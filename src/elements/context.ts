/** The context through which elements find the session around them. */
import {createContext} from '@lit/context';
import type {Session} from '../session/index.js';

/** The context's key; null where an element stands between that has no session. A registered symbol with a version, so that two copies of the bundle on one page meet. */
export const sessionContext = createContext<Session | null, symbol>(Symbol.for('hermes-elements.session.v1'));
