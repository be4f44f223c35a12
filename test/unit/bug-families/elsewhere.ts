/** Families, or the part of one, that no test here can hold: who holds it, or why it cannot occur in a client. */
export const elsewhere: readonly {readonly number: number; readonly reason: string}[] = [
  {
    number: 14,
    reason:
      'held by issue 3: giving the connection back while the page is hidden, frozen or offline is the session’s.',
  },
  {number: 16, reason: 'held by issue 3: the browser’s own back-forward cache, by dispatched page events.'},
  {
    number: 30,
    reason:
      'cannot occur in a client: the list of sessions is the server’s. A scene is made from a turn when asked and stands in no payload, snapshot or list of ours.',
  },
  {number: 54, reason: 'held by issues 3 and 4: keeping the draft when an answer is refused is the form’s.'},
  {
    number: 55,
    reason: 'held by issue 3: sending an answer with its exact id, and hiding the card once it is stale.',
  },
  {
    number: 58,
    reason:
      'held by issue 3 beyond the test here: restoring a place in an earlier turn, and heights at settlement.',
  },
  {
    number: 64,
    reason:
      'held by issue 3: telling a hidden page. The event that tells it, `hermes-turn-settled`, is issue 2’s.',
  },
];
