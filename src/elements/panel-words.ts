/** The words of what a reader writes with. They come with its chunk, so that what only reads does not carry them. */

export const panelWords = {
  composer: {
    label: 'Message to the agent',
    placeholder: 'Ask the agent …',
    queue: 'Send when the agent is done',
    steer: 'Tell it now',
    steering: 'Telling it …',
    stopping: 'Stopping …',
    stopAgain: 'Stop again',
    sending: 'Sending …',
    sendingElsewhere: 'Sending to another conversation …',
    takeBack: 'Take back',
    mayHaveIt: 'Taken back. The server may have got it already.',
    hasIt: 'The server had got it before it was taken back.',
    elsewhere: 'from another conversation',
    stopAndSend: 'Stop and send',
    sendNext: 'Send the next',
    sendHere: 'Send it here',
    waiting: (count: number) => (count === 1 ? '1 message waits.' : `${count} messages wait.`),
    attached: (count: number) => (count === 1 ? '1 attachment' : `${count} attachments`),
    edit: (text: string) => `Edit: ${text}`,
    remove: (text: string) => `Remove: ${text}`,
    paused: {
      unfinished: 'Held back, as the turn before did not complete.',
      refused: 'Held back, as a message was not sent.',
      taken: 'Held back, as a message was taken back.',
      aside: 'Held back while you edit another.',
      away: 'Held back, as this conversation was left meanwhile.',
      elsewhere: 'Held back, as it was written in another conversation.',
    },
  },
  runtime: {
    label: 'Agent',
    runtime: 'Agent',
    mode: 'Mode',
    missing: (name: string) => `${name} (not available)`,
    /** Opens to the reasons. */
    notAvailable: (_count: number, names: readonly string[]) =>
      `${new Intl.ListFormat('en').format(names)} cannot be used yet. Why?`,
    keeps: (shown: string, active: string) =>
      `This conversation stays with ${shown}; the next one gets ${active}.`,
  },
};

export type PanelWords = typeof panelWords;
