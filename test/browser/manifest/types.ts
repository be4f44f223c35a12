/** What the compiler knows of tags and events. Never run: `tsc` fails where one of these is not as it says. */
import type {
  HermesClarifyRequestEvent,
  HermesSession,
  HermesTranscript,
  HermesTurn,
  HermesTurnSettledEvent,
  Session,
} from '../../../src/index.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => undefined;

const session = document.createElement('hermes-session');
const transcript = document.querySelector('hermes-transcript')!;
const turn = document.createElement('hermes-turn');
same<typeof session, HermesSession>(true);
same<typeof transcript, HermesTranscript>(true);
same<typeof turn, HermesTurn>(true);
// @ts-expect-error -- the names are told apart
same<typeof turn, HermesTranscript>(true);

transcript.addEventListener('hermes-turn-settled', (event) => {
  same<typeof event, HermesTurnSettledEvent>(true);
  event.revision.toFixed();
  // @ts-expect-error -- events are told, not changed
  event.revision = 2;
  // @ts-expect-error -- there is no detail
  void event.detail;
});
// Events bubble: documents and windows hear them as well.
document.addEventListener('hermes-clarify-request', (event) => {
  same<typeof event, HermesClarifyRequestEvent>(true);
  event.preventDefault();
});
window.addEventListener('hermes-permission-request', ({control, choice, turn}) => {
  void fetch(`/answer/${turn.id}/${control.id}`, {method: 'POST', body: choice});
});
turn.addEventListener('hermes-artifact-request', ({artifact}) => artifact.path.trim());
turn.addEventListener('hermes-link-request', ({url}) => url.trim());
session.addEventListener('hermes-connection-changed', ({connection}) => {
  if (connection.phase === 'lost') session.connect();
});
// @ts-expect-error -- an event that is none is just an event
session.addEventListener('hermes-turn-ended', ({turn}) => void turn);

transcript.src = '/api/hermes/client/events/run_1';
transcript.headers = () => Promise.resolve({authorization: 'Bearer x'});
transcript.session = 'named';
transcript.session = {} as Session;
// @ts-expect-error -- neither an id nor a session
transcript.session = 7;
// @ts-expect-error -- what is shown is read
transcript.shown = null;
turn.turnId = 'run_1';
void session.send('Hello').then(() => session.steer('Shorter'));
// @ts-expect-error -- a prompt is text
void session.send(7);
