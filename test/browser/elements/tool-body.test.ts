/** The body of a tool, as a reader opens, reads, folds and copies it. */
import type {JsonObject, ToolDetails} from '../../../src/anchor/index.js';
import {loadToolBody} from '../../../src/elements/lazy-tool-body.js';
import * as assert from '../../support/assert.js';
import {turn} from '../../unit/scene/turn-builder.js';
import {drawn, press, read, root, row, until} from '../reading/page.js';

const E = '\x1b';
const lines = (count: number, from = 0) =>
  Array.from({length: count}, (_, n) => `line ${from + n}\n`).join('');

before(() => loadToolBody());
// Some browsers write numbers in no language.
before(() => (document.documentElement.lang = 'en'));

const built = (name: string, args: JsonObject, more: Partial<ToolDetails>) => {
  const work = turn('t').prompt('Go.').tool(name, args, more);
  return more.status === 'running' ? work.running().build() : work.answer('Done.').build();
};

/** An opened tool. */
async function open(name: string, args: JsonObject, more: Partial<ToolDetails> = {}, images?: string) {
  const {story, element} = await read([built(name, args, more)], {height: '600px'});
  element.images = images;
  // The only call opens with the worklog.
  press(element, row(element, 'group:tool:c1').hidden ? 'worklog' : 'group:tool:c1');
  await until(() => row(element, 'tool:c1').querySelector('.tool-body'));
  const tool = row(element, 'tool:c1');
  const update = async (next: Partial<ToolDetails>) => {
    story.show(built(name, args, next));
    await drawn();
  };
  return {element, tool, update};
}

const section = (tool: Element, name: string) => tool.querySelector<HTMLElement>(`[data-section="${name}"]`)!;
const output = (tool: Element) => section(tool, 'output').querySelector('pre')!;
const named = (parent: Element, name: RegExp) =>
  [...parent.querySelectorAll('button')].find(
    (button) => name.test(button.ariaLabel ?? '') || name.test(button.textContent),
  )!;

it('a command is shown in full, with what hides in it', async () => {
  const {tool} = await open('bash', {command: `echo ${'x'.repeat(900)} \u202E\u200B`}, {output: 'ok'});
  const pre = section(tool, 'command').querySelector('pre')!;
  assert.equal(pre.textContent, `echo ${'x'.repeat(900)} \u202E\u200B`);
  assert.deepEqual(
    [...pre.querySelectorAll<HTMLElement>('.mark')].map(({dataset}) => dataset['code']),
    ['U+202E', 'U+200B'],
  );
  assert.equal(section(tool, 'arguments'), null);
});

it('what is not said by the command stands among the arguments', async () => {
  const {tool} = await open('bash', {command: 'make', cwd: '/x'});
  assert.equal(section(tool, 'arguments').querySelector('pre')!.textContent, '{\n  "cwd": "/x"\n}');
  assert.equal(section(tool, 'command').querySelector('pre')!.textContent, 'make');
});

it('what only looks like the command is told in full', async () => {
  const {tool} = await open('bash', {command: ['npm', 'test'], cmd: 'make'});
  assert.equal(section(tool, 'command').querySelector('pre')!.textContent, 'npm test');
  assert.equal(section(tool, 'arguments').querySelector('pre')!.textContent, '{\n  "cmd": "make"\n}');
});

describe('JSON', () => {
  const value = {a: [1, {b: 'two'}], c: {}};
  const text = JSON.stringify(value, null, 2);

  it('is the whole text, folded or not', async () => {
    const {tool} = await open('tool', value);
    const pre = section(tool, 'arguments').querySelector('pre')!;
    assert.equal(pre.textContent, text);
    const fold = named(pre, /^"a", 2 entries$/);
    assert.equal(fold.getAttribute('aria-expanded'), 'true');
    fold.click();
    assert.equal(fold.getAttribute('aria-expanded'), 'false');
    assert.equal(pre.textContent, text);
    assert.equal(pre.innerText.replaceAll('\n\n', '\n').trim(), '{\n  "a": [\n  "c": {}\n}');
    fold.click();
    assert.equal(pre.innerText.replaceAll('\n\n', '\n').trim(), text);
  });

  it('what was folded within stays folded when what is around it is opened', async () => {
    const {tool} = await open('tool', value);
    const pre = section(tool, 'arguments').querySelector('pre')!;
    const [inner, outer] = [named(pre, /^Everything, 1 entry$/), named(pre, /^"a"/)];
    inner.click();
    outer.click();
    outer.click();
    assert.equal(inner.getAttribute('aria-expanded'), 'false');
    assert.equal(pre.innerText.includes('two'), false);
    assert.equal(pre.innerText.includes('1,'), true);
  });

  it('is gone through by arrows, with one stop for tab', async () => {
    const {element, tool} = await open('tool', value);
    const buttons = [...section(tool, 'arguments').querySelectorAll<HTMLElement>('.fold')];
    assert.deepEqual(
      buttons.map(({tabIndex}) => tabIndex),
      [0, -1, -1],
    );
    buttons[0]!.focus();
    const key = (name: string) =>
      root(element).activeElement!.dispatchEvent(
        new KeyboardEvent('keydown', {key: name, bubbles: true, composed: true, cancelable: true}),
      );
    key('ArrowDown');
    assert.equal(root(element).activeElement, buttons[1]);
    assert.equal(buttons[1]!.tabIndex, 0);
    key('ArrowLeft');
    assert.equal(buttons[1]!.getAttribute('aria-expanded'), 'false');
    key('ArrowDown');
    assert.equal(root(element).activeElement, buttons[1], 'what is folded away is not reached');
    key('ArrowRight');
    key('ArrowDown');
    assert.equal(root(element).activeElement, buttons[2]);
  });

  it('an output that is JSON folds; one that is none is text', async () => {
    const {tool} = await open('tool', {}, {output: '{"n":12345678901234567890}'});
    assert.equal(output(tool).textContent, '{\n  "n": 12345678901234567890\n}');
    const {tool: other} = await open('tool', {}, {output: '{not json}'});
    assert.equal(output(other).textContent, '{not json}');
    assert.equal(other.querySelector('.fold'), null);
  });

  it('a long text in it is drawn in part until it is asked for', async () => {
    const {tool} = await open('tool', {text: 'x'.repeat(100_000)});
    const pre = section(tool, 'arguments').querySelector('pre')!;
    assert.ok(pre.textContent.length < 3000);
    named(pre, /^Show all 100,002 characters$/).click();
    assert.equal(pre.textContent, JSON.stringify({text: 'x'.repeat(100_000)}, null, 2));
  });

  it('a long one begins with what is deep folded', async () => {
    const {tool} = await open('tool', {}, {output: JSON.stringify({all: Array(30).fill({a: {b: 1}})})});
    assert.equal(output(tool).innerText.includes('"b"'), false);
    assert.equal(output(tool).textContent.includes('"b"'), true);
  });
});

it('an argument of several lines is shown as it is, and can be copied', async () => {
  const {tool} = await open('write_file', {path: 'a.md', content: '# A\n\nText\u202E.'});
  const text = section(tool, 'argument content');
  assert.equal(text.querySelector('pre')!.textContent, '# A\n\nText\u202E.');
  assert.ok(named(text, /^Copy: content/) && text.querySelector('.mark'));
  assert.equal(tool.querySelector('[data-section="argument path"]'), null);
});

it('a short look at an output shows no sequences of a terminal', async () => {
  const {element} = await read(
    [built('bash', {command: 'x'}, {output: `${E}[31mred${E}[0m ${E}]8;;a:b\x07link`})],
    {
      mode: 'transparent-stream',
    },
  );
  assert.equal(row(element, 'tool:c1').querySelector('.short')!.textContent, 'red link');
});

describe('a terminal', () => {
  it('has classes for sixteen colours, and properties for the others', async () => {
    const {tool} = await open('bash', {command: 'x'}, {output: `${E}[1;31mred${E}[0m ${E}[48;2;1;2;3mown`});
    const [red, own] = output(tool).querySelectorAll<HTMLElement>('.styled');
    assert.equal(red!.textContent, 'red');
    assert.ok(red!.classList.contains('colour-1') && red!.classList.contains('bold'));
    assert.equal(own!.style.getPropertyValue('--_ground'), '#010203');
    assert.ok(getComputedStyle(red!).color !== getComputedStyle(output(tool)).color);
    assert.equal(output(tool).textContent, 'red own');
  });

  it('ends a progress bar as one line, also while it runs', async () => {
    const {tool, update} = await open('bash', {command: 'x'}, {output: '10 %\r20 %', status: 'running'});
    assert.equal(output(tool).textContent, '20 %');
    await update({output: '10 %\r20 %\r100 %\nDone\n', status: 'running'});
    assert.equal(output(tool).textContent, '100 %\nDone\n');
    await update({output: '10 %\r20 %\r100 %\nDone\n'});
    assert.equal(output(tool).textContent, '100 %\nDone\n');
  });

  it('links only what may be a link', async () => {
    const link = (url: string) => `${E}]8;;${url}${E}\\here${E}]8;;${E}\\ `;
    const {tool} = await open(
      'bash',
      {command: 'x'},
      {
        output: ['https://a.example/x', 'javascript:alert(1)', 'file:///etc', 'data:text/html,x']
          .map(link)
          .join(''),
      },
    );
    assert.deepEqual(
      [...output(tool).querySelectorAll('a')].map(({href}) => href),
      ['https://a.example/x'],
    );
    assert.equal(output(tool).textContent, 'here here here here ');
  });

  it('is no way to hide a part of a file', async () => {
    const {tool} = await open('read_file', {path: 'x'}, {output: `rm -rf /${E}[8D${E}[Kls\rok`});
    assert.ok(output(tool).textContent.includes('rm -rf /'));
    assert.ok(output(tool).querySelector('[data-code="U+001B"]'));
  });
});

describe('an output that grows', () => {
  it('is added to: what stands, and what is selected in it, stays', async () => {
    const {tool, update} = await open('bash', {command: 'x'}, {output: 'one\ntwo\nthr', status: 'running'});
    const pre = output(tool);
    const first = pre.querySelector('span')!.firstChild as Text;
    const tail = pre.lastElementChild!.firstChild as Text;
    getSelection()!.setBaseAndExtent(first, 4, tail, 3);
    const before = first.data;
    for (let count = 0; count < 20; count++)
      await update({output: `one\ntwo\nthr${'e'.repeat(count)}`, status: 'running'});
    assert.ok(tail.isConnected && tail.data === 'thr');
    await update({output: `one\ntwo\nthr${'e'.repeat(19)}\n${lines(5)}`, status: 'running'});
    assert.equal(output(tool), pre);
    assert.ok(first.isConnected);
    assert.equal(first.data, before);
    await update({output: `one\ntwo\nthr${'e'.repeat(19)}\n${lines(5)}end`});
    assert.ok(first.isConnected);
    assert.equal(pre.textContent, `one\ntwo\nthr${'e'.repeat(19)}\n${lines(5)}end`);
  });

  it('becomes JSON when it is whole, but not under a selection', async () => {
    const {tool, update} = await open('tool', {}, {output: '{"a":', status: 'running'});
    await update({output: '{"a":1}'});
    assert.ok(output(tool).querySelector('.fold'));
    const other = await open('tool', {}, {output: '{"a":', status: 'running'});
    const node = output(other.tool).lastElementChild!.firstChild!;
    getSelection()!.setBaseAndExtent(node, 0, node, 3);
    await other.update({output: '{"a":1}'});
    assert.ok(node.isConnected);
    assert.equal(output(other.tool).textContent, '{"a":1}');
  });

  it('another text replaces it', async () => {
    const {tool, update} = await open('bash', {command: 'x'}, {output: 'one', status: 'running'});
    await update({output: 'two', status: 'running'});
    assert.equal(output(tool).textContent, 'two');
  });
});

describe('a big output', () => {
  const text = lines(20_000);

  it('is drawn in part, and all of it when the reader asks, without a long task', async () => {
    const {tool} = await open('bash', {command: 'x'}, {output: text});
    const pre = output(tool);
    assert.equal(pre.textContent, lines(300));
    const more = named(tool, /^Show all 20,001 lines$/);
    let longest = 0;
    const watcher = new PerformanceObserver((list) => {
      for (const {duration} of list.getEntries()) longest = Math.max(longest, duration);
    });
    const watches = PerformanceObserver.supportedEntryTypes.includes('longtask');
    if (watches) watcher.observe({type: 'longtask'});
    more.click();
    assert.equal(more.hidden, true);
    await until(() => pre.textContent.length === text.length);
    watcher.disconnect();
    assert.equal(pre.textContent, text);
    // Machines are shared: half a second would be the whole of it in one piece.
    assert.ok(longest < 500, `a task of ${longest} ms`);
  });

  it('of one long line is drawn in part too', async () => {
    const {tool} = await open('bash', {command: 'x'}, {output: 'x'.repeat(500_000)});
    assert.equal(output(tool).textContent.length, 120_000);
    named(tool, /^Show all$/).click();
    await until(() => output(tool).textContent.length === 500_000);
  });

  it('goes on growing behind what is drawn', async () => {
    const {tool, update} = await open('bash', {command: 'x'}, {output: lines(400), status: 'running'});
    await update({output: `${lines(500)}end`, status: 'running'});
    assert.equal(output(tool).textContent, lines(300));
    named(tool, /^Show all 501 lines$/).click();
    await until(() => output(tool).textContent === `${lines(500)}end`);
    await update({output: `${lines(500)}end of it\n`, status: 'running'});
    await until(() => output(tool).textContent === `${lines(500)}end of it\n`);
  });
});

describe('changes', () => {
  const patch = `--- a/x.md
+++ b/x.md
@@ -1,14 +1,14 @@
-Ship on Friday.
+Ship on Thursday.
${Array.from({length: 12}, (_, n) => ` line ${n}`).join('\n')}
-end
+the end
`;
  const shown = (tool: Element) => section(tool, 'changes').querySelector<HTMLElement>('.diff')!;

  it('have signs, numbers and marks on the words', async () => {
    const {tool} = await open('patch', {path: 'x.md'}, {diff: patch});
    const changed = [...shown(tool).querySelectorAll<HTMLElement>('.add, .remove')];
    assert.deepEqual(
      changed.map(({textContent, dataset}) => [textContent, dataset['before'], dataset['after']]),
      [
        ['-Ship on Friday.', '1', ''],
        ['+Ship on Thursday.', '', '1'],
        ['-end', '14', ''],
        ['+the end', '', '14'],
      ],
    );
    assert.equal(shown(tool).querySelector('del')!.textContent, 'Friday');
    assert.equal(shown(tool).querySelector('ins')!.textContent, 'Thursday');
    assert.equal(shown(tool).querySelector('.file')!.textContent, 'x.md');
  });

  it('fold what stays, and give it back', async () => {
    const {element, tool} = await open('patch', {path: 'x.md'}, {diff: patch});
    assert.equal(shown(tool).textContent.includes('line 5'), false);
    const fold = named(shown(tool), /^6 unchanged lines$/);
    assert.equal(fold.getAttribute('aria-expanded'), 'false');
    fold.focus();
    fold.click();
    assert.deepEqual(
      [...shown(tool).querySelectorAll('.same .content')].map(({textContent}) => textContent),
      Array.from({length: 12}, (_, n) => `line ${n}`),
    );
    assert.equal(root(element).activeElement, shown(tool));
  });

  it('stand one under the other where it is narrow, side by side where it is wide', async () => {
    const {element, tool} = await open('patch', {path: 'x.md'}, {diff: patch});
    const [removed, added] = [...shown(tool).querySelectorAll('.change .diff-line')];
    const places = () => [removed!, added!].map((line) => line.getBoundingClientRect());
    element.style.inlineSize = '360px';
    await drawn();
    let [left, right] = places();
    assert.ok(right!.top >= left!.bottom && right!.left === left!.left);
    element.style.inlineSize = '1000px';
    element.style.setProperty('--hermes-max-width', 'none');
    await drawn();
    [left, right] = places();
    assert.ok(Math.abs(right!.top - left!.top) < 1 && right!.left >= left!.right - 1);
  });

  it('between two texts of the arguments are shown as well', async () => {
    const {tool} = await open('edit_file', {path: 'x', old_string: 'a\nb', new_string: 'a\nc'});
    assert.deepEqual(
      [...shown(tool).querySelectorAll('.diff-line')].map(({textContent}) => textContent),
      [' a', '-b', '+c'],
    );
  });

  it('of many lines are drawn in part', async () => {
    const added = Array.from({length: 9000}, (_, n) => `+line ${n}`).join('\n');
    const {tool} = await open('patch', {}, {diff: `--- /dev/null\n+++ b/x\n@@ -0,0 +1,9000 @@\n${added}\n`});
    assert.ok(shown(tool).querySelectorAll('.add').length < 3000);
    named(section(tool, 'changes'), /^Show all/).click();
    await until(() => shown(tool).querySelectorAll('.add').length === 9000);
  });
});

describe('what is more than text', () => {
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('pictures that bring their bytes are drawn, others are links', async () => {
    const {tool} = await open(
      'tool',
      {},
      {
        output: JSON.stringify([
          {type: 'image', mimeType: 'image/png', data: dot},
          {type: 'image', uri: 'https://a.example/x.png'},
          {type: 'image', mimeType: 'image/svg+xml', data: dot},
          {type: 'resource_link', uri: 'javascript:alert(1)', name: 'click me'},
        ]),
      },
    );
    const images = [...tool.querySelectorAll('img')];
    assert.deepEqual(
      images.map(({src, alt}) => [src, alt]),
      [[`data:image/png;base64,${dot}`, 'Picture from the tool']],
    );
    await until(() => images[0]!.complete);
    assert.equal(images[0]!.naturalWidth, 1);
    assert.deepEqual(
      [...tool.querySelectorAll('a')].map(({href}) => href),
      ['https://a.example/x.png'],
    );
    assert.ok(tool.textContent.includes('click me'));
  });

  it('blocks of a call are drawn in their order, and what cannot be drawn is told', async () => {
    const content = [
      {type: 'text', text: 'The page now:'},
      {type: 'image', mimeType: 'image/png', data: dot},
      {type: 'text', text: 'Its sound:'},
      {type: 'audio', mimeType: 'audio/wav', data: 'AAAA'.repeat(500)},
      {type: 'resource_link', uri: 'https://a.example/report.pdf', name: 'report.pdf'},
      {type: 'resource_link', uri: 'javascript:alert(1)', name: 'not a link'},
      {type: 'hologram', beams: 3},
    ];
    const {tool, update} = await open('tool', {}, {output: 'The page now:\nIts sound:', content});
    const shown = () => [...section(tool, 'output').querySelectorAll('.part')];
    assert.deepEqual(
      shown().map((part) => part.textContent || part.firstElementChild!.localName),
      [
        'The page now:',
        'img',
        'Its sound:',
        'Not shown here: audio/wav, 1.5 kB',
        'report.pdfhttps://a.example/report.pdf',
        'not a linkjavascript:alert(1)',
        'Not shown here: hologram, 29 bytes',
      ],
    );
    assert.deepEqual(
      [...tool.querySelectorAll('a')].map(({href}) => href),
      ['https://a.example/report.pdf'],
    );
    const before = shown();
    const output = 'The page now:\nIts sound:\nMore.';
    await update({output, content: [...content, {type: 'text', text: 'More.'}]});
    assert.equal(shown().length, 8);
    assert.ok(before.every((part, index) => part === shown()[index]));
  });

  it('a picture elsewhere asks nobody before the reader does, unless the page allows it', async () => {
    const content = [{type: 'image', uri: `${location.origin}/nowhere.png`}];
    const {tool} = await open('tool', {}, {content});
    assert.equal(tool.querySelector('img'), null);
    named(tool, /Show image from/).click();
    assert.equal(tool.querySelector('img')!.referrerPolicy, 'no-referrer');
    const allowed = await open('tool', {}, {content}, location.origin);
    assert.equal(named(allowed.tool, /Show image from/), undefined);
    // Nothing is served there, so that it has been asked for is told in words.
    await until(() => allowed.tool.textContent.includes('The picture cannot be shown on this page.'));
  });

  it('a picture elsewhere is only a link where the page wants no pictures', async () => {
    const content = [{type: 'image', uri: 'https://a.example/x.png'}];
    const {tool} = await open('tool', {}, {content}, 'none');
    assert.equal(named(tool, /Show image from/), undefined);
    assert.equal(tool.querySelector('a')!.href, 'https://a.example/x.png');
  });
});

describe('copying', () => {
  async function copied(tool: Element, name: RegExp): Promise<string> {
    let text = '';
    const clipboard = {writeText: (given: string) => ((text = given), Promise.resolve())};
    Object.defineProperty(navigator, 'clipboard', {value: clipboard, configurable: true});
    try {
      const button = named(tool, name);
      button.click();
      await until(() => button.querySelector('[role=status]')!.textContent === 'Copied');
    } finally {
      delete (navigator as {clipboard?: unknown}).clipboard;
    }
    return text;
  }

  it('gives the exact text of what is shown', async () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    const {tool} = await open(
      'bash',
      {command: 'x \u200B y', n: 1},
      {diff: patch, output: `10 %\r${E}[32m100 %${E}[0m\nDone`},
    );
    assert.equal(await copied(tool, /^Copy: Command/), 'x \u200B y');
    assert.equal(await copied(tool, /^Copy: Arguments/), JSON.stringify({n: 1}, null, 2));
    assert.equal(await copied(tool, /^Copy: Changes/), patch);
    assert.equal(await copied(tool, /^Copy: Output/), '100 %\nDone');
    const other = await open('read_file', {path: 'x'}, {output: `${lines(2000)}\r\n\t`});
    assert.equal(await copied(other.tool, /^Copy: Output/), `${lines(2000)}\r\n\t`);
  });

  it('says when it could not', async () => {
    const {element, tool} = await open('bash', {command: 'x'});
    const exec = document.execCommand.bind(document);
    Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true});
    document.execCommand = () => false;
    try {
      const button = named(tool, /^Copy: Command/);
      button.focus();
      button.click();
      await until(() => button.querySelector('[role=status]')!.textContent === 'Could not be copied');
      assert.equal(root(element).activeElement, button);
    } finally {
      document.execCommand = exec;
      delete (navigator as {clipboard?: unknown}).clipboard;
    }
  });
});

it('a group says how many of its tools failed', async () => {
  const {element} = await read([
    turn('t')
      .prompt('Go.')
      .tool('bash', {command: 'a'}, {status: 'error'})
      .tool('bash', {command: 'b'}, {status: 'error'})
      .tool('bash', {command: 'c'}, {status: 'running'})
      .running()
      .build(),
  ]);
  const heading = row(element, 'group:tool:c1').textContent.replace(/\s+/g, ' ');
  assert.ok(/Ran 3 commands.*bash c.*2 errors/.test(heading), heading);
});
