import {loadHighlight} from '../../../src/elements/load-highlight.js';
import {MarkdownView} from '../../../src/elements/markdown/markdown-view.js';
import type {Highlight} from '../../../src/elements/markdown/prose-host.js';
import {safeUrl} from '../../../src/elements/safe-url.js';
import * as assert from '../../support/assert.js';

let box: HTMLElement;

beforeEach(() => {
  box = document.createElement('div');
  document.body.append(box);
});
afterEach(() => {
  getSelection()!.removeAllRanges();
  box.remove();
});

const view = (highlight: Highlight = loadHighlight, root = box) =>
  new MarkdownView(root, {highlight, address: safeUrl});

const lines = () => [...box.querySelectorAll('.code-line')];
const isColoured = (line: Element | undefined) => (line?.childElementCount ?? 0) > 0;

async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** How the code is coloured that is drawn whole. */
async function whole(markdown: string): Promise<string> {
  const other = document.createElement('div');
  document.body.append(other);
  let coloured: unknown;
  const drawn = view(async (...code) => (coloured = await loadHighlight(...code)), other);
  drawn.write(markdown);
  drawn.end();
  await until(() => coloured);
  await Promise.resolve();
  other.remove();
  return other.querySelector('code')!.innerHTML;
}

describe('code a reader is not near to', () => {
  const calls: string[] = [];
  const noted = (root?: HTMLElement) =>
    view((_language, code) => {
      calls.push(code);
      return Promise.resolve(code.split('\n').map((line) => [{kind: 'hl-string', text: line}]));
    }, root);

  let placed: Element | undefined;

  beforeEach(() => void calls.splice(0));
  afterEach(() => placed?.remove());

  for (const group of ['', 'group'])
    it(`gets its colours when the reader comes, in ${group ? 'a group' : 'none'}`, async () => {
      box.className = group;
      box.style.paddingTop = '400vh';
      const growing = noted();
      const near = document.createElement('div');
      document.body.prepend(near);
      const seen = noted(near);
      for (const one of [growing, seen]) {
        one.write(`\`\`\`js\n${one === seen ? 'near' : 'far'}\n\`\`\`\n`);
        one.end();
      }
      await until(() => calls.length > 0);
      assert.deepEqual(calls, ['near\n']);
      near.remove();
      lines()[0]!.scrollIntoView();
      await until(() => isColoured(lines()[0]));
      assert.deepEqual(calls, ['near\n', 'far\n']);
      scrollTo(0, 0);
    });

  for (const group of ['', 'group'])
    it(`gets them from a reader who stays, in ${group ? 'a group' : 'none'}`, async () => {
      const stays = new Map<number, () => void>();
      const {setTimeout: set, clearTimeout: clear} = window;
      window.setTimeout = ((work: (element: unknown) => void, time: number, element: unknown) => {
        const timer = set(work, time === 100 ? 1e6 : time, element);
        if (time === 100) stays.set(timer, () => work(element));
        return timer;
      }) as typeof setTimeout;
      window.clearTimeout = (timer) => {
        clear(timer);
        stays.delete(timer as number);
      };
      try {
        box.className = group;
        box.style.paddingBlock = '400vh';
        const far = noted();
        far.write('```js\nfar\n```\n');
        far.end();
        for (let frame = 0; frame < 9; frame++)
          await new Promise((resolve) => requestAnimationFrame(resolve));
        lines()[0]!.scrollIntoView();
        await until(() => stays.size > 0);
        scrollTo(0, 0);
        await until(() => stays.size === 0);
        assert.deepEqual(calls, []);
        lines()[0]!.scrollIntoView();
        await until(() => stays.size > 0);
        for (const stay of stays.values()) stay();
        assert.deepEqual(calls, ['far\n']);
      } finally {
        Object.assign(window, {setTimeout: set, clearTimeout: clear});
        scrollTo(0, 0);
      }
    });

  it('gets none when it has gone by before anybody could read it', async () => {
    const growing = noted();
    growing.write('```js\nby\n```\n');
    box.style.display = 'none';
    const other = document.createElement('div');
    document.body.append(other);
    const seen = noted(other);
    seen.write('```js\nstays\n```\n');
    await until(() => calls.length > 0);
    other.remove();
    assert.deepEqual(calls, ['stays\n']);
  });

  it('has them at once in a text that is over when it is drawn, before one that came earlier and grows', async () => {
    const other = document.createElement('div');
    document.body.prepend(other);
    noted(other).write('```js\ngrows\n```\n');
    const over = noted();
    over.write('```js\nover\n```\n');
    over.end();
    await until(() => calls.length === 2);
    other.remove();
    assert.deepEqual(calls, ['over\n', 'grows\n']);
  });

  for (const [how, carry] of Object.entries({
    'is carried out of its group, which goes': (group: HTMLElement) => {
      document.body.prepend(box);
      group.remove();
    },
    'is carried into another group, while its own stays far': (group: HTMLElement) => {
      const other = document.createElement('div');
      other.className = 'group';
      group.parentElement!.prepend(other);
      other.append(box);
    },
  }))
    it(`gets them where it ${how}`, async () => {
      const page = document.createElement('div');
      const group = document.createElement('div');
      group.className = 'group';
      group.style.marginTop = '400vh';
      group.append(box);
      page.append(group);
      document.body.append(page);
      placed = page;
      const [far, near] = [noted(), document.createElement('div')];
      far.write('```js\nfar\n```\n');
      far.end();
      page.prepend(near);
      const seen = noted(near);
      seen.write('```js\nnear\n```\n');
      seen.end();
      await until(() => calls.length > 0);
      assert.deepEqual(calls, ['near\n']);
      carry(group);
      await until(() => isColoured(lines()[0]));
    });

  describe('on paper', () => {
    const print = () => dispatchEvent(new Event('beforeprint'));
    /** No timer and no frame comes before a page is printed. */
    async function measured() {
      for (let step = 0; step < 9; step++) await Promise.resolve();
    }
    afterEach(() => void dispatchEvent(new Event('afterprint')));

    it('has them', async () => {
      box.style.paddingTop = '400vh';
      const far = noted();
      far.write('```js\nfar\n```\n');
      far.end();
      const near = document.createElement('div');
      document.body.prepend(near);
      noted(near).write('```js\nnear\n```\n');
      await until(() => calls.length > 0);
      near.remove();
      assert.equal(isColoured(lines()[0]), false);
      print();
      await measured();
      assert.ok(isColoured(lines()[0]));
    });

    for (const [what, text] of Object.entries({whole: 'now\n```\n', growing: 'now\nand'}))
      it(`has them where it has just been drawn, ${what}`, async () => {
        const fresh = noted();
        fresh.write(`\`\`\`js\n${text}`);
        await measured();
        assert.equal(isColoured(lines()[0]), false);
        print();
        await measured();
        assert.ok(isColoured(lines()[0]));
      });

    it('has them where it is drawn for that', async () => {
      noted().write('```js\nfirst\n');
      print();
      const root = document.createElement('div');
      noted(root).write('```js\nfolded\nuntil now');
      box.append(root);
      await measured();
      assert.ok(isColoured(root.querySelector('.code-line')!));
    });
  });
});

describe('code that is not whole', () => {
  it('has colours in its finished lines, which stay as they are when it goes on', async () => {
    const growing = view();
    growing.write('```js\nconst a = 1;\n// note\nconst b');
    await until(() => isColoured(lines()[1]));
    assert.ok(isColoured(lines()[0]));
    assert.equal(isColoured(lines()[2]), false);
    const first = lines()[0]!.firstChild;
    growing.write(' = 2;\nconst c = 3;\n');
    await until(() => isColoured(lines()[2]));
    assert.equal(lines()[0]!.firstChild, first);
    assert.equal(
      box.querySelector('code')!.textContent,
      'const a = 1;\n// note\nconst b = 2;\nconst c = 3;\n',
    );
  });

  for (const [name, markdown] of Object.entries({
    'a comment over lines': '```js\nlet a = 1; /* one\ntwo = 2\n*/ let b;\n```\n',
    'a text that never ends': '```js\nlet a = `x ${1}\nlet b = 2\n',
    'a language in another': '```html\n<script>\nconst a = "b";\n</script>\n<p class="x">y</p>\n```\n',
    'a heading told by the line under it': '```md\nOne\n===\n\n- two\n```\n',
  })) {
    it(`has the colours of the whole in the end: ${name}`, async () => {
      let calls = 0;
      const growing = view((...code) => {
        calls++;
        return loadHighlight(...code);
      });
      for (const line of markdown.split(/(?<=\n)/)) {
        const before = calls;
        growing.write(line);
        if (lines().length > 1) await until(() => calls > before || !box.querySelector('pre'));
      }
      growing.end();
      const wanted = await whole(markdown);
      await until(() => box.querySelector('code')!.innerHTML === wanted);
    });
  }

  it('is read so seldom that it costs little, however much comes', async () => {
    const times: number[] = [];
    const growing = view((_language, code) => {
      times.push(performance.now());
      // As slow as nothing is.
      for (const from = performance.now(); performance.now() - from < 5;);
      return Promise.resolve(code.split('\n').map((line) => [{kind: 'hl-string', text: line}]));
    });
    const from = performance.now();
    growing.write('```js\n');
    for (let line = 0; line < 1000; line++) {
      for (const piece of ['const ', `a${line}`, ' = 1;', '\n']) growing.write(piece);
      if (line % 50 === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await until(() => isColoured(lines()[998]));
    const took = performance.now() - from;
    assert.ok(times.length <= 1 + took / 250, `${times.length} times in ${took} ms`);
    assert.equal(lines().length, 1000);
  });

  it('what is too long is coloured when it is whole', async () => {
    const read: number[] = [];
    const growing = view((_language, code) => {
      read.push(code.length);
      return Promise.resolve([[{kind: 'hl-string', text: code.split('\n')[0]!}]]);
    });
    growing.write('```js\na\nb');
    await until(() => read.length === 1);
    growing.write(`\n${`${'x'.repeat(99)}\n`.repeat(400)}`);
    growing.write('```\n');
    growing.end();
    await until(() => read.length === 2);
    assert.deepEqual(read, [2, 40_004]);
  });

  it('what the reader selected stays, and gets no colours', async () => {
    const growing = view();
    growing.write('```js\nconst a = 1;\nconst b = 2;\nconst c = 3;\n');
    const text = lines()[1]!.firstChild as Text;
    getSelection()!.setBaseAndExtent(text, 0, text, 5);
    await until(() => isColoured(lines()[0]));
    growing.write('const d = 4;\n');
    await until(() => isColoured(lines()[2]));
    assert.equal(lines()[1]!.firstChild, text);
    assert.equal(getSelection()!.toString(), 'const');
  });

  it('what was selected when it was whole gets them once it is let go', async () => {
    const done = view();
    done.write('```js\nconst a = 1;\nconst b = 2;\nconst c = 3;\n```\n');
    getSelection()!.setBaseAndExtent(lines()[0]!.firstChild!, 1, lines()[1]!.firstChild!, 2);
    done.end();
    await until(() => isColoured(lines()[2]));
    assert.deepEqual([isColoured(lines()[0]), isColoured(lines()[1])], [false, false]);
    getSelection()!.removeAllRanges();
    await until(() => isColoured(lines()[0]) && isColoured(lines()[1]));
  });

  it('code that was whole, and is another now, loses the colours it has no more', async () => {
    const highlight: Highlight = (_language, code) => {
      const [first, ...rest] = code.split('\n');
      const isOn = first === 'on';
      return Promise.resolve([
        [first!],
        ...rest.map((line) => [isOn ? {kind: 'hl-string', text: line} : line]),
      ]);
    };
    const changing = view(highlight);
    changing.write('```js\non\nsame\n\u200b\n```\n');
    changing.end();
    await until(() => isColoured(lines()[1]));
    changing.replace('```js\noff\nsame\n\u200b\n');
    changing.write('```\n');
    changing.end();
    await until(() => !isColoured(lines()[1]));
    assert.equal(lines()[1]!.textContent, 'same\n');
    assert.equal(lines()[2]!.querySelector('.hl-string'), null);
    assert.ok(lines()[2]!.querySelector('.mark'));
  });

  it('code that is gone is not read', async () => {
    const read: string[] = [];
    const noting: Highlight = (_language, code) => Promise.resolve((read.push(code), null));
    const gone = view(noting);
    gone.write('```js\ngone\nb\n');
    box.remove();
    gone.end();
    const other = document.createElement('div');
    document.body.append(other);
    const stays = view(noting, other);
    stays.write('```js\nstays\n');
    stays.end();
    await until(() => read.length > 0);
    other.remove();
    assert.deepEqual(read, ['stays\n']);
  });
});
