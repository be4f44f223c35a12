/** deep-chat, given deltas by its handler, as its documentation says how. */
/* global document */
import 'deep-chat';

export default async function deepChat(content) {
  const chat = document.createElement('deep-chat');
  chat.style.cssText = 'display:block;width:100%;height:600px;border:0';
  const asked = new Promise((resolve) => {
    chat.connect = {stream: true, handler: (_body, signals) => resolve(signals)};
  });
  const stands = new Promise((resolve) => (chat.onComponentRender = resolve));
  content.append(chat);
  await stands;
  chat.submitUserMessage({text: 'Go'});
  const signals = await asked;
  signals.onOpen();
  return {
    follows: true,
    push: (delta) => void signals.onResponse({text: delta}),
    end: () => signals.onClose(),
  };
}
