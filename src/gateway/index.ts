/** The gateway: any ACP agent behind one SSE contract. Node only. */
export {createGateway, type Gateway, type GatewayOptions} from './gateway.js';
export {GatewayError, type GatewayErrorCode} from './gateway-error.js';
export {serveGateway, ServeError, type GatewayServer, type ServeOptions} from './http/serve.js';
export {isLoopbackName} from './http/gate.js';
export type {Authorize} from './http/authorization.js';
export {defaultBasePath, type HttpLimits} from './http/app.js';
export {JournalError, type Journal, type JournalErrorCode} from './journal/journal.js';
export {openSqliteJournal, type SqliteJournalOptions} from './journal/sqlite-journal.js';
export {thisMachine, type Machine} from './profiles/machine.js';
export type {PermissionPolicy, Profile, ProfileView, RuntimeType} from './profiles/profile.js';
export {ConfigError} from './profiles/profile-config.js';
export type {Caller, SessionSummary} from './sessions/session-service.js';
export {createFolderHost, type FolderHost, type FolderHostOptions} from './tools/folder/folder-host.js';
export {folderToolServer} from './tools/folder/folder-tools-server.js';
export {NoteToolServer, noteToolsUrl, type NoteToolServerOptions} from './tools/note-tool-server.js';
