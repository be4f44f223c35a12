/**
 * Commands that the runner lacks or has in one engine only; tests call them with `executeCommand`:
 * `page:viewport {width, height}` and `page:keys ['Shift', 'Tab']` in all three,
 * `page:media {'forced-colors': 'active'}` and `page:print {print: true}` and `page:gc` in Chromium (false elsewhere).
 */
export const pagePlugin = () => ({
  name: 'page',
  executeCommand({command, payload, session}) {
    return commands[command]?.(session.browser, session.id, payload);
  },
});

const commands = {
  async 'page:viewport'(browser, id, size) {
    if (browser.type === 'puppeteer') {
      await browser.getPage(id).setViewport(size);
      return true;
    }
    const [width, height] = await browser.driver.execute(
      'return [outerWidth - innerWidth, outerHeight - innerHeight]',
    );
    await browser.driver.setWindowSize(size.width + width, size.height + height);
    return true;
  },

  async 'page:media'(browser, id, features) {
    if (!browser.name.startsWith('Chrom')) return false;
    const session = await browser.getPage(id).createCDPSession();
    await session.send('Emulation.setEmulatedMedia', {
      media: '',
      features: Object.entries(features).map(([name, value]) => ({name, value})),
    });
    return true;
  },

  async 'page:print'(browser, id, {print}) {
    if (!browser.name.startsWith('Chrom')) return false;
    await browser.getPage(id).emulateMediaType(print ? 'print' : null);
    return true;
  },

  async 'page:gc'(browser, id) {
    if (!browser.name.startsWith('Chrom')) return false;
    const session = await browser.getPage(id).createCDPSession();
    await session.send('HeapProfiler.collectGarbage');
    await session.detach();
    return true;
  },

  async 'page:keys'(browser, id, keys) {
    if (browser.type === 'puppeteer') {
      const {keyboard} = browser.getPage(id);
      const held = keys.slice(0, -1);
      for (const key of held) await keyboard.down(key);
      await keyboard.press(keys.at(-1));
      for (const key of held.toReversed()) await keyboard.up(key);
      return true;
    }
    const values = keys.map((key) => webdriverKeys[key] ?? key);
    const down = values.map((value) => ({type: 'keyDown', value}));
    const up = values.toReversed().map((value) => ({type: 'keyUp', value}));
    await browser.driver.performActions([{type: 'key', id: 'keyboard', actions: [...down, ...up]}]);
    return true;
  },
};

/** https://w3c.github.io/webdriver/#keyboard-actions */
const webdriverKeys = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};
