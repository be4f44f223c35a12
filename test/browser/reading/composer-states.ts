/** Every state of a composer, by name: looked at by `npm run states`, checked for access by composer-states.test.ts. */
import type {HermesComposer, Session} from '../../../src/index.js';
import {turn} from '../../unit/scene/turn-builder.js';
import {Story} from './story.js';

interface ComposerState {
  /** The agent is at work. */
  readonly running?: boolean;
  /** What became of what was sent: on its way for ever when not told. */
  readonly refusal?: string;
  /** Sent or queued, one after the other. */
  readonly submitted?: readonly string[];
  /** What stands in the box then. */
  readonly value?: string;
  /** What the page has drawn in it: attachments, buttons of its own. */
  readonly inside?: readonly string[];
  readonly attachments?: readonly object[];
  readonly disabled?: boolean;
  readonly dir?: string;
  readonly lang?: string;
  /** The part of a button that is then pressed. */
  readonly pressed?: string;
}

const prompts = [
  'And the same for the tests',
  'Then write down in docs/build.md what takes how long, with a table of all steps and what could be left out of each',
  'ثم اكتب ملخصًا بالعربية',
];

export const composerStates: Readonly<Record<string, ComposerState>> = {
  'composer-empty': {},
  'composer-written': {value: 'Why is the build slow?\nPlease look at the configuration first.'},
  'composer-long': {
    value: Array.from({length: 30}, (_, n) => `${n + 1}. A line of a long prompt`).join('\n'),
  },
  'composer-disabled': {value: 'Nothing can be sent now.', disabled: true},
  'composer-sending': {submitted: ['Why is the build slow? Please look at the configuration first.']},
  'composer-refused': {
    submitted: ['Why is the build slow?'],
    refusal: 'The server could not be reached. Check the network, then retry.',
  },
  'composer-refused-queue': {
    submitted: prompts,
    refusal: 'The server is full. Try again in a minute.',
    value: 'A draft of something else',
  },
  'composer-running': {running: true},
  'composer-steer': {running: true, value: 'Leave the lock file alone.'},
  'composer-stopping': {running: true, pressed: 'stop-button'},
  'composer-queue': {running: true, submitted: prompts, value: 'One more'},
  'composer-queue-long': {running: true, submitted: Array.from({length: 12}, (_, n) => `Prompt ${n + 1}`)},
  'composer-attachments': {
    inside: [
      '<span slot="attachments">build-log.txt · 42 kB</span>',
      '<span slot="attachments">a-file-with-a-name-that-is-longer-than-the-box-it-stands-in.config.mjs</span>',
      '<button type="button" style="color: inherit; background: none; border: 1px solid">Attach</button>',
    ],
    attachments: [{type: 'resource_link'}, {type: 'resource_link'}],
    value: 'What do these say?',
  },
  'composer-arabic': {
    running: true,
    submitted: [prompts[2]!],
    value: 'لماذا البناء بطيء؟',
    dir: 'rtl',
    lang: 'ar',
  },
};

/** The state on the page. */
export async function mountComposerState(name: string, parent: Element): Promise<HermesComposer> {
  const state = composerStates[name]!;
  const {
    submitted = [],
    value = '',
    inside = [],
    attachments = [],
    disabled = false,
    dir,
    lang,
    pressed,
  } = state;
  const element = document.createElement('hermes-composer');
  element.session = sessionOf(state) as unknown as Session;
  if (dir) element.dir = dir;
  if (lang) element.lang = lang;
  element.innerHTML = inside.join('');
  parent.append(element);
  await element.updateComplete;
  for (const text of submitted) {
    element.value = text;
    element.submit();
  }
  // What is on its way is shown a little later.
  element.clock = {
    now: () => performance.now() + 1000,
    setTimeout: (run, ms) => setTimeout(run, ms),
    clearTimeout: (timer) => clearTimeout(timer as number),
  };
  // What was refused may come back into the box, if it is free.
  await new Promise((resolve) => setTimeout(resolve));
  if (value) element.value = value;
  if (attachments.length > 0) element.attachments = attachments;
  element.disabled = disabled;
  await element.updateComplete;
  if (pressed) element.shadowRoot!.querySelector<HTMLElement>(`[part=${pressed}]`)!.click();
  await element.updateComplete;
  return element;
}

function sessionOf({running, refusal}: ComposerState): object {
  const work = turn('t1').prompt('Hello?');
  const story = new Story({
    turns: [running ? work.running().build() : work.answer('Hello.').build()],
    pending: [],
  });
  const hangs = () => new Promise(() => {});
  const send = () => (refusal === undefined ? hangs() : Promise.reject(new Error(refusal)));
  return Object.assign(story, {
    source: {base: '/api', sessionId: 's1'},
    canSteer: true,
    send,
    cancel: hangs,
    steer: hangs,
  });
}
