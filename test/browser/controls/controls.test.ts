/** Approvals, questions, stop and steer, as a reader meets them. */
import 'axe-core/axe.min.js';
import '../../../src/define.js';
import {GrowingText, type ControlDetails, type TurnAnchor} from '../../../src/anchor/index.js';
import {loadControlRow} from '../../../src/elements/lazy-control-row.js';
import {loadModel, type HermesSession, type HermesTranscript, type HermesTurn} from '../../../src/index.js';
import {item, turn} from '../../unit/scene/turn-builder.js';
import * as assert from '../../support/assert.js';
import {done, settled, token, tool} from '../elements/feed.js';
import {keys, type} from '../keys.js';
import {allByRole, byRole, createDesk, focused, mount, read, until, type Desk} from './stage.js';

declare const axe: {
  run(root: Element, options?: object): Promise<{violations: {id: string; nodes: {html: string}[]}[]}>;
};

before(() => Promise.all([loadModel(), loadControlRow()]));

const long = `rm -rf build && ${'echo line-of-the-command; '.repeat(400)}true`;
const approval = (more: object = {}) =>
  ['approval', {approval_id: 'a1', command: 'rm -r build', description: 'deletes files', ...more}] as const;
const question = [
  'clarify',
  {clarify_id: 'q1', question: 'Which folder?', choices_offered: ['src', 'docs'], expires_at: 0},
] as const;

function transcript(desk: Desk): HermesTranscript {
  return mount<HermesTranscript>('<hermes-transcript></hermes-transcript>', {session: desk.session});
}

/** A transcript whose server waits for the approval `a1`, after the reader has had time to read it. */
async function asked(desk: Desk, frame: readonly [string, object] = approval()): Promise<HermesTranscript> {
  const element = transcript(desk);
  await desk.feed.send(token('Cleaning up.'), tool('c1', 'terminal', {}), frame);
  await desk.waitFor('a1', 'q1');
  await read();
  return element;
}

const rowOf = (element: HTMLElement) =>
  element.shadowRoot!.querySelector<HTMLElement>('[data-type=control]') as HTMLElement;

async function checkAccess(element: Element) {
  const {violations} = await axe.run(element, {rules: {region: {enabled: false}}});
  assert.deepEqual(
    violations.map(({id, nodes}) => [id, nodes[0]?.html]),
    [],
  );
}

describe('an approval', () => {
  it('shows the command in full, with its reason, and no buttons until the server waits for it', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(approval({command: long}));
    const row = rowOf(element);
    assert.equal(row.querySelector('[data-text]')!.textContent, long);
    assert.ok(/deletes files/.test(row.textContent));
    assert.deepEqual(allByRole(row, 'button'), []);
    await desk.waitFor('another');
    assert.deepEqual(allByRole(row, 'button'), []);
    await desk.waitFor('a1');
    assert.deepEqual(
      allByRole(row, 'button').map(({textContent}) => textContent.trim()),
      ['Allow once', 'Allow for this session', 'Always allow', 'Deny'],
    );
    await desk.waitFor();
    assert.deepEqual(allByRole(row, 'button'), []);
  });

  it('has no buttons where there is a stream alone', async () => {
    const desk = createDesk({canControl: false});
    const element = await asked(desk);
    assert.deepEqual(allByRole(rowOf(element), 'button'), []);
    assert.deepEqual(allByRole(element, 'button', /Stop/), []);
  });

  it('cannot be answered for half a second after its buttons appear', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(approval());
    await read();
    await desk.waitFor('a1');
    const allow = byRole<HTMLButtonElement>(rowOf(element), 'button', /Allow once/);
    allow.focus();
    assert.ok(focused() !== allow);
    allow.click();
    assert.deepEqual(desk.asked, []);
    await read();
    allow.click();
    await settled();
    assert.deepEqual(desk.asked, ['answer a1 once']);
  });

  it('is answered by key, and the focus goes to the row while the answer is on its way', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    const row = rowOf(element);
    byRole(row, 'button', /Deny/).focus();
    await keys('Enter');
    await settled();
    assert.deepEqual(desk.asked, ['answer a1 deny']);
    assert.equal(focused(), byRole(row, 'group'));
    assert.ok(/Sent\. Waiting for the agent/.test(row.textContent));
    byRole<HTMLButtonElement>(row, 'button', /Allow once/).click();
    assert.deepEqual(desk.asked, ['answer a1 deny']);
    assert.equal(row.dataset['status'], 'pending');
    await desk.feed.send(token('All right.'));
    assert.equal(row.dataset['status'], 'answered');
    assert.deepEqual(allByRole(row, 'button'), []);
    assert.equal(focused(), byRole(row, 'group'));
    assert.ok(!/Waiting for the agent/.test(row.textContent));
  });

  it('shows as a picture what became of it, and asks no longer', async () => {
    const options = [
      {id: 'o1', label: 'Yes', kind: 'allow_once'},
      {id: 'o2', label: 'No', kind: 'reject_once'},
    ];
    const shown: [Partial<ControlDetails>, string][] = [
      [{status: 'pending'}, 'ask'],
      [{status: 'pending', expiresAt: 1}, 'stopped'],
      [{status: 'answered', choice: 'o1'}, 'completed'],
      [{status: 'answered', choice: 'o2'}, 'error'],
      [{status: 'answered', choice: 'always', options: []}, 'completed'],
      [{status: 'answered', choice: 'denied', options: []}, 'error'],
      // Nobody said which: a wire without ids, or the answer of another reader.
      [{status: 'answered', choice: null}, 'stopped'],
      [{status: 'stale'}, 'stopped'],
      [{status: 'expired'}, 'stopped'],
    ];
    for (const [facts, name] of shown) {
      const anchor = turn('t1')
        .control('permission', 'rm -r build', {options, ...facts})
        .running()
        .build();
      const element = mount<HermesTurn>('<hermes-turn></hermes-turn>', {anchor});
      await element.updateComplete;
      assert.equal(rowOf(element).querySelector('.icon')!.classList[1], name, JSON.stringify(facts));
    }
  });

  it('is not answered by a key that is held down', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    for (const key of ['Enter', ' ']) {
      byRole(rowOf(element), 'button', /Allow once/).focus();
      const held = new KeyboardEvent('keydown', {
        key,
        repeat: true,
        bubbles: true,
        composed: true,
        cancelable: true,
      });
      focused()!.dispatchEvent(held);
      assert.ok(held.defaultPrevented, `a held ${key || 'Space'}`);
      const pressed = new KeyboardEvent('keydown', {key, bubbles: true, composed: true, cancelable: true});
      focused()!.dispatchEvent(pressed);
      assert.ok(!pressed.defaultPrevented);
    }
    assert.deepEqual(desk.asked, []);
  });

  it('a refusal is said in the row, and it can be answered again', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    desk.refuse('The server is busy with something else. Wait for it, then retry.');
    byRole(rowOf(element), 'button', /Allow once/).click();
    await settled();
    assert.ok(/busy with something else/.test(byRole(rowOf(element), 'alert').textContent));
    await checkAccess(element);
    desk.refuse(null);
    byRole(rowOf(element), 'button', /Deny/).click();
    await settled();
    assert.deepEqual(allByRole(rowOf(element), 'alert'), []);
    assert.deepEqual(desk.asked, ['answer a1 once', 'answer a1 deny']);
  });

  it('is the page’s to answer where it cancels the request', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    const told: string[] = [];
    const listen = (event: HTMLElementEventMap['hermes-permission-request']) => {
      told.push(`${event.turn.id} ${event.control.id} ${event.choice}`);
      assert.throws(() => Object.assign(event, {choice: 'always'}), /TypeError/);
      assert.equal(event.choice, 'session');
      event.preventDefault();
    };
    document.addEventListener('hermes-permission-request', listen);
    byRole(rowOf(element), 'button', /this session/).click();
    await settled();
    document.removeEventListener('hermes-permission-request', listen);
    assert.deepEqual(told, ['run_1 a1 session']);
    assert.deepEqual(desk.asked, []);
    assert.ok(!/Sent/.test(rowOf(element).textContent));
  });

  it('shows what hides in a command, and keeps its text', async () => {
    const desk = createDesk();
    const command = 'rm \u202Egpj.exe\u200B x\n\ty';
    const element = await asked(desk, approval({command}));
    const text = rowOf(element).querySelector('[data-text]')!;
    assert.equal(text.textContent, command);
    assert.deepEqual(
      [...text.querySelectorAll<HTMLElement>('.mark')].map(({dataset}) => dataset['code']),
      ['U+202E', 'U+200B'],
    );
  });

  it('shows letters that look like others, in options and reasons too, and leaves honest text alone', async () => {
    const desk = createDesk();
    const element = await asked(
      desk,
      approval({
        command: 'curl p\u0430ypal.com\u2215x \uFF0Fetc # привет, κόσμε',
        description: 'safe\u00A0\u3164',
        choices: ['once\u202E'],
      }),
    );
    assert.deepEqual(
      [...rowOf(element).querySelectorAll<HTMLElement>('[part=code-point]')].map(
        ({dataset}) => dataset['code'],
      ),
      ['U+00A0', 'U+3164', 'U+0430', 'U+2215', 'U+FF0F', 'U+202E'],
    );
  });

  it('says how long it can be answered, by the session’s clock, and then takes no answer', async () => {
    const desk = createDesk();
    let now = Date.now();
    Object.defineProperty(desk.session, 'now', {value: () => now});
    const element = await asked(desk, [
      'clarify',
      {...question[1], expires_at: Math.round(now / 1000) + 3642},
    ]);
    const row = rowOf(element);
    assert.ok(/expires in 1:00:4\d · waiting/.test(row.textContent), row.textContent);
    const choice = byRole(row, 'button', /src/);
    now += 3_600_000;
    await until(() => /expires in 0:4\d/.test(row.textContent));
    now += 60_000;
    choice.click();
    assert.deepEqual(desk.asked, []);
    await until(() => /Question\s*expired/.test(row.textContent));
    assert.deepEqual(allByRole(row, 'button'), []);
    assert.equal(row.dataset['status'], 'pending');
    assert.ok(/Question: expired/.test(byRole(row, 'group').ariaLabel!));
  });

  it('says that it is not known whether it can be answered, and why, with a way out', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    let again = 0;
    await desk.feed.send(approval());
    Object.defineProperty(desk.session, 'connect', {value: () => again++});
    const row = rowOf(element);
    await desk.look({phase: 'asking', message: null});
    assert.ok(/Asking the server whether this can still be answered/.test(row.textContent));
    assert.deepEqual(allByRole(row, 'button'), []);
    await desk.look({phase: 'failed', message: 'The server wants a sign-in. Sign in again, then retry.'});
    assert.ok(
      /not known whether this can still be answered\. The server wants a sign-in/.test(row.textContent),
    );
    await checkAccess(element);
    const retry = byRole(row, 'button', /Try again/);
    retry.focus();
    retry.click();
    await desk.look({phase: 'asking', message: null});
    assert.deepEqual([again, allByRole(row, 'button').length], [1, 0]);
    assert.equal(focused(), byRole(row, 'group'));
    await desk.look(null);
    await desk.waitFor('a1');
    assert.ok(!/Asking|not known/.test(row.textContent));
    byRole(row, 'button', /Allow once/);
  });

  it('is posted once by two fast clicks, by clicks on two options, and by Enter held down', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    const allow = byRole(rowOf(element), 'button', /Allow once/);
    const deny = byRole(rowOf(element), 'button', /Deny/);
    allow.focus();
    for (const button of [allow, allow, deny]) button.click();
    await settled();
    await keys('Enter', 'Enter');
    allow.click();
    await settled();
    assert.deepEqual(desk.asked, ['answer a1 once']);
  });

  it('is closed by any end of the run', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    await desk.feed.send(['cancel', {message: 'Cancelled by user'}]);
    assert.equal(rowOf(element).dataset['status'], 'stale');
    assert.ok(/no longer open/.test(rowOf(element).textContent));
    assert.deepEqual(allByRole(rowOf(element), 'button'), []);
    await checkAccess(element);
  });

  it('stands in every mode, with its buttons', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    for (const mode of ['transparent-stream', 'answer-only', 'compact-worklog']) {
      element.mode = mode;
      await settled();
      byRole(rowOf(element), 'button', /Allow once/);
    }
    byRole(rowOf(element), 'button', /Allow once/).click();
    await settled();
    assert.deepEqual(desk.asked, ['answer a1 once']);
  });

  it('appears without taking the focus from what the reader does', async () => {
    const field = mount<HTMLInputElement>('<input aria-label="Note">');
    field.focus();
    const desk = createDesk();
    await asked(desk);
    assert.equal(focused(), field);
  });

  it('passes the accessibility check in both themes', async () => {
    const desk = createDesk();
    const element = await asked(desk);
    for (const [color, background] of [
      ['#1a1a1a', '#ffffff'],
      ['#ededed', '#111111'],
    ]) {
      Object.assign(element.style, {color, background});
      await checkAccess(element);
    }
  });
});

describe('a question', () => {
  it('is answered by a choice', async () => {
    const desk = createDesk();
    const element = await asked(desk, question);
    byRole(rowOf(element), 'button', /docs/).click();
    await settled();
    assert.deepEqual(desk.asked, ['answer q1 docs']);
  });

  it('is answered in the reader’s own words, by Enter; Shift makes a line', async () => {
    const desk = createDesk();
    const element = await asked(desk, question);
    byRole(rowOf(element), 'textbox', /Your answer/).focus();
    await keys('Enter');
    assert.deepEqual(desk.asked, []);
    await type('both');
    await keys('Shift', 'Enter');
    await type('of them');
    await keys('Enter');
    await settled();
    assert.deepEqual(desk.asked, ['answer q1 both\nof them']);
    await checkAccess(element);
  });

  it('an Enter that confirms a candidate does not send', async () => {
    const desk = createDesk();
    const element = await asked(desk, question);
    const field = byRole<HTMLTextAreaElement>(rowOf(element), 'textbox');
    field.value = 'かな';
    field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    const enter = (more: KeyboardEventInit) =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true, ...more}),
      );
    enter({isComposing: true});
    enter({keyCode: 229});
    field.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true}));
    enter({});
    assert.deepEqual(desk.asked, []);
    await settled();
    enter({});
    await settled();
    assert.deepEqual(desk.asked, ['answer q1 かな']);
  });

  it('a draft survives a refusal, and is shown where the question closed under it', async () => {
    const desk = createDesk();
    const element = await asked(desk, question);
    const field = byRole<HTMLTextAreaElement>(rowOf(element), 'textbox');
    field.focus();
    await type('neither');
    desk.refuse('This question is no longer open.');
    await keys('Enter');
    await settled();
    assert.equal(byRole<HTMLTextAreaElement>(rowOf(element), 'textbox').value, 'neither');
    assert.ok(/no longer open/.test(byRole(rowOf(element), 'alert').textContent));
    await desk.waitFor();
    assert.ok(/Not sent: neither/.test(rowOf(element).textContent));
  });

  it('passes the accessibility check in both themes', async () => {
    const desk = createDesk();
    const element = await asked(desk, question);
    for (const [color, background] of [
      ['#1a1a1a', '#ffffff'],
      ['#ededed', '#111111'],
    ]) {
      Object.assign(element.style, {color, background});
      await checkAccess(element);
    }
  });
});

describe('what the call would do', () => {
  it('is shown beside the approval while it is open: arguments that the command does not say', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(token('x'));
    desk.session.open({src: '/events/run_2', wire: 'hermes-runs', fetch: desk.feed.fetch});
    await settled();
    const run = (event: string, more: object) =>
      ['', {event, run_id: 'run_2', timestamp: 1, ...more}] as const;
    await desk.feed.send(
      run('tool.started', {tool: 'edit_file', tool_call_id: 'c1', input: {path: 'a.md', text: 'new'}}),
      run('permission.requested', {
        permission_id: 'a1',
        tool_call_id: 'c1',
        title: 'Edit a.md',
        options: [{id: 'yes', name: 'Yes, edit', kind: 'allow_once'}],
      }),
    );
    await desk.waitFor('a1');
    const row = rowOf(element);
    assert.ok(/"text": "new"/.test(row.textContent), row.textContent);
    byRole(row, 'button', /Yes, edit/);
    await desk.feed.send(
      run('permission.resolved', {permission_id: 'a1', outcome: 'selected', option_id: 'yes'}),
    );
    assert.ok(/answered: Yes, edit/.test(row.textContent), row.textContent);
    assert.ok(!/"text": "new"/.test(row.textContent));
  });

  it('is part of the request where the wire says so, and stays with it; what is over comes folded', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    desk.session.open({src: '/events/run_2', wire: 'hermes-runs', fetch: desk.feed.fetch});
    await settled();
    const run = (event: string, more: object) =>
      ['', {event, run_id: 'run_2', timestamp: 1, ...more}] as const;
    await desk.feed.send(
      run('permission.requested', {
        permission_id: 'a1',
        title: 'Edit a.md',
        content: [{type: 'diff', path: 'a.md', oldText: 'old\n', newText: 'new\n'}],
      }),
    );
    const details = () => rowOf(element).querySelector('details')!;
    assert.equal(details().querySelector('.add')!.textContent, '+new\n');
    assert.ok(details().open);
    await desk.feed.send(run('permission.resolved', {permission_id: 'a1', outcome: 'denied'}));
    assert.ok(!details().open);
    const over = mount<HermesTranscript>('<hermes-transcript></hermes-transcript>', {
      snapshot: desk.session.snapshot,
    });
    await settled();
    assert.equal(rowOf(over).querySelector('.remove')!.textContent, '-old\n');
    assert.ok(!rowOf(over).querySelector('details')!.open);
  });
});

describe('stopping and steering', () => {
  it('a running turn has a stop button, which asks and does not decide', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(token('Working on it'), tool('c1', 'terminal', {command: 'sleep 9'}));
    const stop = byRole<HTMLButtonElement>(element, 'button', /Stop/);
    assert.equal(stop.part.value, 'stop-button');
    await checkAccess(element);
    stop.focus();
    await keys('Enter');
    await settled();
    assert.deepEqual(desk.asked, ['cancel']);
    assert.equal(element.shown!.transcript.turns[0]!.terminal, null);
    await desk.feed.send(['cancel', {message: 'Cancelled by user'}]);
    assert.deepEqual(allByRole(element, 'button', /Stop/), []);
  });

  it('a stop that is refused says why and can be asked again; the page can take it over', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(token('Working on it'));
    desk.refuse('The server could not be reached. Check the network, then retry.');
    byRole(element, 'button', /Stop/).click();
    await settled();
    assert.ok(/could not be reached/.test(byRole(element, 'alert').textContent));
    element.addEventListener('hermes-cancel-request', (event) => {
      assert.equal(event.turn?.id, 'run_1');
      event.preventDefault();
    });
    byRole(element, 'button', /Stop/).click();
    await settled();
    assert.deepEqual(desk.asked, ['cancel']);
  });

  it('two fast clicks stop once; a key that is held down does not stop again', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(token('Working on it'));
    let answer!: () => void;
    const asks: string[] = [];
    Object.defineProperty(desk.session, 'cancel', {
      value: () => {
        asks.push('cancel');
        return new Promise<void>((resolve) => (answer = resolve));
      },
    });
    const stop = byRole<HTMLButtonElement>(element, 'button', /Stop/);
    stop.click();
    stop.click();
    await settled();
    stop.click();
    assert.deepEqual([asks.length, stop.disabled], [1, true]);
    answer();
    await settled();
    const held = new KeyboardEvent('keydown', {key: 'Enter', repeat: true, bubbles: true, cancelable: true});
    stop.dispatchEvent(held);
    assert.ok(held.defaultPrevented);
    stop.click();
    assert.equal(asks.length, 2, 'a stop may be asked for again');
  });

  it('methods ask as the reader would: an event first, then the session', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await settled();
    const told: string[] = [];
    for (const type of ['hermes-send-request', 'hermes-steer-request', 'hermes-cancel-request'] as const) {
      element.addEventListener(type, (event) => {
        told.push(event.type);
        if (told.length > 3) event.preventDefault();
      });
    }
    for (let time = 0; time < 2; time++) {
      await element.send('Hello');
      await element.steer('Shorter');
      await element.cancel();
    }
    assert.equal(told.length, 6);
    assert.deepEqual(desk.asked, ['send Hello', 'steer Shorter', 'cancel']);
    desk.refuse('No.');
    element.remove();
    const bare = transcript(createDesk({canControl: false}));
    await settled();
    await bare.send('Hello').then(
      () => assert.ok(false, 'it was refused'),
      (cause: Error) => assert.ok(/only shows/.test(cause.message)),
    );
  });
});

describe('a file of the turn', () => {
  it('is the page’s to open; one that nobody opens says so', async () => {
    const desk = createDesk();
    const element = transcript(desk);
    await desk.feed.send(['artifact_reference', {path: 'notes/a.md'}], token('Done.'), done);
    const file = byRole(element, 'button', /notes\/a\.md/);
    file.click();
    await settled();
    assert.ok(/does not open files/.test(byRole(element, 'alert').textContent));
    const opened: string[] = [];
    element.addEventListener('hermes-artifact-request', (event) => {
      opened.push(event.artifact.path);
      event.preventDefault();
    });
    file.click();
    await settled();
    assert.deepEqual(opened, ['notes/a.md']);
    assert.deepEqual(allByRole(element, 'alert'), []);
    await checkAccess(element);
  });
});

describe('a turn that stands alone and is given another turn', () => {
  const asks = (id: string, ...aliases: string[]) => {
    const control: ControlDetails = {
      ...{id: 'a1', type: 'clarify', status: 'pending', options: [{id: 'src', label: 'src', kind: null}]},
      ...{choice: null, detail: null, callId: null, expiresAt: null, input: null, diff: null},
    };
    const {items, ...rest} = turn(id).prompt('Go').thought('Hm.').running().build();
    const text = GrowingText.of('Which folder?');
    return {...rest, aliases, items: items.push(item('control', 'control:a1', {text, control}))};
  };

  async function alone() {
    const desk = createDesk();
    const element = mount<HermesTurn>('<hermes-turn></hermes-turn>', {
      session: desk.session,
      anchor: asks('t1'),
    });
    await desk.feed.send(token('x'));
    element.remove();
    // A given turn finds its session around it.
    const around = mount<HermesSession>('<hermes-session></hermes-session>', {session: desk.session});
    around.append(element);
    await desk.waitFor('a1');
    await read();
    return {desk, element};
  }

  const show = async (element: HermesTurn, anchor: TurnAnchor) => {
    element.anchor = anchor;
    await element.updateComplete;
  };

  async function write(element: HermesTurn, words: string) {
    const field = byRole<HTMLTextAreaElement>(element, 'textbox');
    field.value = words;
    field.dispatchEvent(new Event('input', {bubbles: true}));
    await settled();
  }

  it('shows no refusal, draft, answer or opened row of the one before', async () => {
    const {desk, element} = await alone();
    desk.refuse('No.');
    await write(element, 'a draft');
    byRole(element, 'button', /src/).click();
    element.shadowRoot!.querySelector<HTMLElement>('[aria-expanded]')!.click();
    await settled();
    assert.ok(/No\./.test(byRole(element, 'alert').textContent));
    await show(element, asks('t2'));
    assert.deepEqual(allByRole(element, 'alert'), []);
    assert.equal(byRole<HTMLTextAreaElement>(element, 'textbox').value, '');
    assert.ok(![...element.openRows.values()].includes(true));
    byRole(element, 'button', /src/).click();
    assert.deepEqual(desk.asked, ['answer a1 src'], 'nobody has read this one yet');
    await read();
    desk.refuse(null);
    byRole(element, 'button', /src/).click();
    await settled();
    assert.ok(/Sent\. Waiting/.test(rowOf(element).textContent));
    await show(element, asks('t3'));
    assert.ok(!/Sent/.test(rowOf(element).textContent));
  });

  it('a refusal that comes late is not said of the one that is shown by then', async () => {
    const {desk, element} = await alone();
    desk.refuse('No.');
    byRole(element, 'button', /src/).click();
    await show(element, asks('t2'));
    await settled();
    assert.deepEqual(allByRole(element, 'alert'), []);
    await read();
    assert.ok(!byRole<HTMLButtonElement>(element, 'button', /src/).disabled);
  });

  it('keeps all of it when the same turn has got another id', async () => {
    const {desk, element} = await alone();
    desk.refuse('No.');
    await write(element, 'a draft');
    byRole(element, 'button', /src/).click();
    await settled();
    const field = byRole<HTMLTextAreaElement>(element, 'textbox');
    await show(element, asks('m1', 't1'));
    assert.ok(/No\./.test(byRole(element, 'alert').textContent));
    assert.equal(byRole(element, 'textbox'), field);
    assert.equal(field.value, 'a draft');
  });
});
