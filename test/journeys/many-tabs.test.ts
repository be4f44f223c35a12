/** More tabs of one origin than a browser allows it connections over HTTP/1.1, each with a conversation and its notes. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inEachEngine, type Reader} from './desk.js';

const TABS = 8;

inEachEngine((open) => {
  test('eight tabs in one conversation all load, and each has it whole when it is seen', async (context) => {
    const desk = await open(context);
    const first = await desk.page();
    await first.prompt('Summarise this note');
    await first.ended(1);
    const tabs: Reader[] = [first];
    while (tabs.length < TABS) {
      const tab = await desk.page();
      await tab.ended(1);
      tabs.push(tab);
    }
    const last = tabs.at(-1)!;
    await last.prompt('Add a to-do list of the open tasks');
    await last.click('button', 'Allow');
    await last.ended(2);
    const note = await desk.file();
    for (const tab of tabs) {
      await tab.front();
      await tab.ended(2);
      await tab.until('it shows the note as it is', tab.note, (text) => text === note);
      assert.deepEqual(await tab.texts('[part=retry-button]'), []);
    }
    assert.deepEqual(await first.turns(), await last.turns());
    await first.assertReconciled();
    desk.assertSilent();
  });
});
