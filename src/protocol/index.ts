/** The wire that browser and gateway share, as plain values and functions. */
export {readAcpLine} from './acp/line.js';
export {AcpReader} from './acp/acp-reader.js';
export type {AcpGatewayFact, AcpObservation, JsonRpcMessage, PermissionAnswerer} from './acp/observation.js';
export {
  acpFacts,
  createAcpState,
  type AcpFacts,
  type AcpOptions,
  type AcpPermission,
  type AcpState,
} from './acp/state.js';
export {requestKey} from './acp/state.js';
export {finish, step, type AcpStep} from './acp/step.js';
export {borrowsId} from './borrowed-id.js';
export {formatEventId, parseEventId, type EventId} from './event-id.js';
export {
  createFrameDecoder,
  encodeComment,
  encodeFrame,
  FrameError,
  type FrameDecoder,
  type FrameDecoderOptions,
  type FrameErrorCode,
} from './frame.js';
export {
  readRecording,
  recordingFormat,
  RecordingError,
  type Recording,
  type RecordingErrorCode,
  type RecordingFormat,
} from './recording.js';
export type * from './request-bodies.js';
export {
  runEventNames,
  runTerminalNames,
  type RunEvent,
  type RunEventFields,
  type RunEventHead,
  type RunEventName,
  type RunFailure,
  type RunPermissionOption,
  type RunTerminalName,
  type RunTokenUsage,
  type RunToolFields,
} from './run-event.js';
export {isSessionRun, sessionOfRun, sessionRunId} from './run-id.js';
export type {SourceEvent} from './source-event.js';
export {streamEnding, type StreamEnding} from './stream-ending.js';
