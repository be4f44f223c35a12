/** The gateway: any ACP agent behind one SSE contract. Node only. */
export {GatewayError, type GatewayErrorCode} from './gateway-error.js';
export {JournalError, type Journal, type JournalErrorCode} from './journal/journal.js';
export type {PermissionPolicy, Profile, ProfileView, RuntimeType} from './profiles/profile.js';
