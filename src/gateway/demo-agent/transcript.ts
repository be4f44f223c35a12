/** What was said in a session, as the updates that say it again: one chunk a message, one call a tool. */
import type {SessionUpdate} from '@agentclientprotocol/sdk';

/** The transcript with an update more. What is said of the session, not in it, is not kept. */
export function kept(transcript: readonly SessionUpdate[], update: SessionUpdate): readonly SessionUpdate[] {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return withChunk(transcript, update);
    case 'tool_call_update':
      return transcript.map((each) =>
        each.sessionUpdate === 'tool_call' && each.toolCallId === update.toolCallId
          ? ({...each, ...update, sessionUpdate: 'tool_call'} as SessionUpdate)
          : each,
      );
    case 'tool_call':
      return [...transcript, update];
    case 'plan':
      return [...transcript.filter(({sessionUpdate}) => sessionUpdate !== 'plan'), update];
    default:
      return transcript;
  }
}

type Chunk = Extract<
  SessionUpdate,
  {sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'}
>;

function withChunk(transcript: readonly SessionUpdate[], chunk: Chunk): readonly SessionUpdate[] {
  const last = transcript.at(-1);
  const goesOn =
    last?.sessionUpdate === chunk.sessionUpdate &&
    last.messageId === chunk.messageId &&
    last.content.type === 'text' &&
    chunk.content.type === 'text';
  if (!goesOn || last.content.type !== 'text' || chunk.content.type !== 'text') return [...transcript, chunk];
  const content = {...last.content, text: last.content.text + chunk.content.text};
  return [...transcript.slice(0, -1), {...last, content}];
}
