import assert from 'node:assert/strict';
import {test} from 'node:test';
import {resumeAfter, type CursorParameter} from '../../../src/transport/index.js';

type Row = [
  fact: string,
  url: string,
  id: string | null,
  parameter: CursorParameter,
  to: string,
  header: string | null,
];

const rows: Row[] = [
  ['nothing read: the URL is left alone', '/s?after_seq=3', null, 'after_seq', '/s?after_seq=3', null],
  ['the header by default', '/s', 'r:5', null, '/s', 'r:5'],
  ['after_seq', '/s', 'r:5', 'after_seq', '/s?after_seq=5', null],
  ['after_event_id', '/s?a=1', 'r:5', 'after_event_id', '/s?a=1&after_event_id=r%3A5', null],
  ['an id without a number goes into the header', '/s', 'abc', 'after_seq', '/s', 'abc'],
  ['position 0 is a cursor', '/s', 'r:0', 'after_seq', '/s?after_seq=0', null],
  ['a stale cursor is replaced', '/s?after_seq=3&a=1', 'r:5', 'after_seq', '/s?a=1&after_seq=5', null],
  [
    'every kind of stale cursor is dropped',
    '/s?after_seq=3&after_event_id=x&replay=1&cursor=9',
    'r:5',
    null,
    '/s',
    'r:5',
  ],
  ['a stale cursor without a value is dropped', '/s?replay&a=1', 'r:5', null, '/s?a=1', 'r:5'],
  [
    'names that only look alike stay',
    '/s?after_seqs=3&xcursor=1',
    'r:5',
    null,
    '/s?after_seqs=3&xcursor=1',
    'r:5',
  ],
  [
    'the spelling of the rest stays',
    'https://h/a b?q=a%20b+c&q=/?x',
    'r:5',
    null,
    'https://h/a b?q=a%20b+c&q=/?x',
    'r:5',
  ],
  ['a fragment is not sent', '/s?a=1#top?cursor=1', 'r:5', 'after_seq', '/s?a=1&after_seq=5', null],
  ['an empty query disappears', '/s?', 'r:5', null, '/s', 'r:5'],
];

for (const [fact, url, id, parameter, to, header] of rows) {
  test(fact, () => assert.deepEqual(resumeAfter(url, id, parameter), {url: to, lastEventId: header}));
}
