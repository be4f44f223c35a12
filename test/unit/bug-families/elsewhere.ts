/** Families, or the part of one, that no test here can hold: who holds it, or why it cannot occur in a client. */
export const elsewhere: readonly {readonly number: number; readonly reason: string}[] = [
  {
    number: 14,
    reason:
      'not built yet: giving the connection back while the page is hidden, frozen or offline is the session’s.',
  },
  {number: 16, reason: 'not built yet: the browser’s own back-forward cache, by dispatched page events.'},
  {
    number: 30,
    reason:
      'cannot occur in a client: the list of sessions is the server’s. A scene is made from a turn when asked and stands in no payload, snapshot or list of ours.',
  },
  {number: 54, reason: 'not built yet: keeping the draft when an answer is refused is the form’s.'},
  {
    number: 55,
    reason: 'not built yet: sending an answer with its exact id, and hiding the card once it is stale.',
  },
  {
    number: 58,
    reason:
      'not built yet beyond the test here: restoring a place in an earlier turn, and heights at settlement.',
  },
  {
    number: 64,
    reason: 'not built yet: telling a hidden page. The event that tells it, `hermes-turn-settled`.',
  },
];
