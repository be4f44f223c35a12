/** Bytes over the network: event streams that reconnect, and JSON requests. For browsers and Node. */
export {systemClock, type Clock} from './clock.js';
export type {ConnectionPhase, ConnectionState} from './connection-state.js';
export {resumeAfter, type CursorParameter, type ResumedRequest} from './cursor.js';
export {openEventStream, type EventStream, type EventStreamOptions} from './event-stream.js';
export type {HeadersSource} from './headers.js';
export type {RefusalCode} from './refusal.js';
export {RequestError, requestJson, type RequestErrorCode, type RequestOptions} from './request.js';
export {StreamError, type StreamErrorCode, type StreamErrorDetails} from './stream-error.js';
