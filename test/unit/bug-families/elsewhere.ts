/** Families, or the part of one, that no test here can hold: who holds it, or why it cannot occur in a client. */
export const elsewhere: readonly {readonly number: number; readonly reason: string}[] = [
  {
    number: 14,
    reason:
      'a page that is hidden, frozen or offline gives its connection back, an idle one after seconds: `unit/transport/page-life.test.ts`, `unit/session/hidden-page.test.ts`, `journeys/many-tabs.test.ts`, and `npm run page-life` in a browser.',
  },
  {
    number: 16,
    reason:
      'a page that comes out of the back-forward cache: `unit/transport/page-life.test.ts` and `browser/faults/faults.test.ts` by its events, and `npm run page-life` by the back button.',
  },
  {
    number: 30,
    reason:
      'cannot occur in a client: the list of sessions is the server’s. A scene is made from a turn when asked and stands in no payload, snapshot or list of ours.',
  },
  {number: 54, reason: 'a draft survives the refusal of an answer: `browser/controls/controls.test.ts`.'},
  {
    number: 55,
    reason:
      'an answer is posted once, with the exact id, and what is stale takes none: `browser/controls/controls.test.ts`.',
  },
  {
    number: 58,
    reason:
      'a place in an earlier turn, and what is read at settlement: `browser/reading/long.test.ts` and `browser/reading/undisturbed.test.ts`.',
  },
  {
    number: 64,
    reason:
      'to tell somebody whose page is hidden is the page’s; `hermes-turn-settled` brings it the answer: `browser/elements/elements.test.ts`.',
  },
];
