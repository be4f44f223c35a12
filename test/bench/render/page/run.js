/** A `<hermes-transcript>` that reads one run, over a stream in this page. */
/* global document, requestAnimationFrame, Response, ReadableStream, TextEncoder */
import 'hermes-elements/cdn';
import {encodeFrame} from 'hermes-elements/protocol';

const RUN = 'f00dfeed'.repeat(4);

/** Stands when the transcript shows the turn. */
export async function openRun(content) {
  const encoder = new TextEncoder();
  let seq = 0;
  const encode = (event, fields) => {
    const data = {
      event,
      run_id: RUN,
      seq: ++seq,
      session_id: 'a1c0ffee0001',
      timestamp: 1_750_000_000 + seq / 40,
    };
    return encoder.encode(encodeFrame({id: `${RUN}:${seq}`, name: event, data: {...data, ...fields}}));
  };
  const transcript = document.createElement('hermes-transcript');
  transcript.cache = 'none';
  const asked = new Promise((resolve) => {
    transcript.fetch = () => {
      const body = new ReadableStream({start: resolve});
      return Promise.resolve(new Response(body, {headers: {'content-type': 'text/event-stream'}}));
    };
  });
  transcript.src = `/v1/runs/${RUN}/events`;
  content.append(transcript);
  const stream = await asked;
  stream.enqueue(encode('run.started', {turn_id: 't1', prompt: 'Go'}));
  // The parts that are loaded on demand are there before anything is measured, as the code of other subjects is.
  while (!transcript.shadowRoot?.querySelector('hermes-turn')?.querySelector('*'))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return {transcript, encode, send: (bytes) => stream.enqueue(bytes)};
}
