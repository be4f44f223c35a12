/** How elements find the session they show, whatever order a page puts itself together in. */
import {ContextProvider} from '@lit/context';
import '../../../src/define.js';
import {
  HermesSession,
  loadModel,
  Session,
  sessionContext,
  type SessionListener,
  type HermesTranscript,
  type HermesTurn,
} from '../../../src/index.js';
import * as assert from '../../support/assert.js';
import {mount} from '../controls/stage.js';
import {createFeed, done, settled, token} from '../elements/feed.js';

before(() => loadModel());

/** A session that shows this answer, and counts who listens. */
class Shown extends Session {
  listeners = 0;

  constructor(answer: string, id = answer) {
    super();
    this.snapshot = {
      session: {
        session_id: id,
        updated_at: 1,
        messages: [
          {role: 'user', content: 'Hi', timestamp: 1},
          {role: 'assistant', content: answer, timestamp: 2},
        ],
      },
    };
  }

  override subscribe(listener: SessionListener): () => void {
    this.listeners++;
    const leave = super.subscribe(listener);
    return () => {
      this.listeners--;
      leave();
    };
  }
}

const answerOf = (element: Element) =>
  element.shadowRoot?.querySelector('[data-type=answer]')?.textContent.trim() ?? null;
const find = <T extends HTMLElement>(root: ParentNode, selector: string) => root.querySelector<T>(selector)!;
const sessionOf = (root: ParentNode, selector: string, session: Session) =>
  Object.assign(find<HermesSession>(root, selector), {session});

let names = 0;

/** A name for a provider, and what registers it. */
function late(): [name: string, define: () => void] {
  const name = `late-session-${++names}`;
  return [name, () => customElements.define(name, class extends HermesSession {})];
}

describe('a session around', () => {
  it('is found when its provider is upgraded after what stands in it', async () => {
    const [name, define] = late();
    const provider = mount(
      `<${name}><hermes-transcript></hermes-transcript><hermes-turn></hermes-turn></${name}>`,
    );
    await settled();
    assert.equal(answerOf(find(provider, 'hermes-transcript')), null);
    Object.assign(provider, {session: new Shown('late')});
    define();
    await settled();
    assert.equal(answerOf(find(provider, 'hermes-transcript')), 'late');
    assert.equal(answerOf(find(provider, 'hermes-turn')), 'late');
  });

  it('is the nearest, also when the nearest comes last', async () => {
    const [name, define] = late();
    const outer = new Shown('outer');
    const page = mount<HermesSession>(
      `<hermes-session><${name}><hermes-transcript></hermes-transcript></${name}></hermes-session>`,
      {session: outer},
    );
    await settled();
    const element = find<HermesTranscript>(page, 'hermes-transcript');
    assert.equal(answerOf(element), 'outer');
    assert.equal(outer.listeners, 2);
    sessionOf(page, name, new Shown('inner'));
    define();
    await settled();
    assert.equal(answerOf(element), 'inner');
    assert.equal(outer.listeners, 1);
  });

  it('is found through shadow roots, and passes through a transcript', async () => {
    const page = mount<HermesSession>('<hermes-session><div></div></hermes-session>', {
      session: new Shown('around'),
    });
    const root = find(page, 'div').attachShadow({mode: 'open'});
    root.innerHTML = '<hermes-transcript><hermes-turn></hermes-turn></hermes-transcript>';
    await settled();
    assert.equal(answerOf(find(root, 'hermes-transcript')), 'around');
    assert.equal(find<HermesTurn>(root, 'hermes-turn').shown, page.shown);
  });

  it('changes where an element is moved, and is released where it is removed', async () => {
    const [one, two] = [new Shown('one'), new Shown('two')];
    const page = mount(
      '<div><hermes-session id="a"><hermes-transcript></hermes-transcript></hermes-session><hermes-session id="b"></hermes-session></div>',
    );
    const [a, b] = [sessionOf(page, '#a', one), sessionOf(page, '#b', two)];
    const element = find<HermesTranscript>(page, 'hermes-transcript');
    await settled();
    assert.equal(answerOf(element), 'one');
    b.append(element);
    await settled();
    assert.equal(answerOf(element), 'two');
    assert.deepEqual([one.listeners, two.listeners], [1, 2]);
    element.remove();
    await settled();
    assert.deepEqual([one.listeners, two.listeners], [1, 1]);
    assert.equal(answerOf(element), 'two', 'what was shown stays');
    a.append(element);
    await settled();
    assert.equal(answerOf(element), 'one');
    page.remove();
    await settled();
    assert.deepEqual([one.listeners, two.listeners], [0, 0]);
  });

  it('moved with all that stands in it, a session keeps its one connection', async () => {
    const feed = createFeed();
    const page = mount(
      '<div><section></section><hermes-session src="/events/run_1"><hermes-transcript></hermes-transcript></hermes-session></div>',
    );
    const session = Object.assign(find<HermesSession>(page, 'hermes-session'), {fetch: feed.fetch});
    await feed.send(token('One'));
    find(page, 'section').append(session);
    await feed.send(token(' two'));
    assert.equal(answerOf(find(session, 'hermes-transcript')), 'One two');
    assert.deepEqual([feed.asked.length, feed.aborted], [1, false]);
  });

  it('removed and added again in the middle of a stream, it goes on, and tells nothing twice', async () => {
    const feed = createFeed();
    const session = mount<HermesSession>(
      '<hermes-session src="/events/run_1"><hermes-transcript></hermes-transcript></hermes-session>',
      {fetch: feed.fetch},
    );
    const told: string[] = [];
    for (const type of ['hermes-turn-started', 'hermes-turn-settled'] as const)
      session.addEventListener(type, () => told.push(type));
    const home = session.parentElement!;
    await feed.send(token('One'));
    session.remove();
    await settled();
    assert.ok(feed.aborted);
    home.append(session);
    await settled();
    await feed.send(token(' two'), done, ['stream_end', {}]);
    assert.equal(answerOf(find(session, 'hermes-transcript')), 'One two');
    session.remove();
    await settled();
    home.append(session);
    await settled();
    assert.deepEqual(told, ['hermes-turn-started', 'hermes-turn-settled']);
  });

  it('may be given by any provider of the protocol, and asked for by any consumer', async () => {
    const session = new Shown('foreign');
    const page = mount('<div><hermes-transcript></hermes-transcript></div>');
    new ContextProvider(page, {context: sessionContext, initialValue: session}).hostConnected();
    await settled();
    const element = find<HermesTranscript>(page, 'hermes-transcript');
    assert.equal(answerOf(element), 'foreign');
    const asked: unknown[] = [];
    const request = Object.assign(new Event('context-request', {bubbles: true, composed: true}), {
      context: Symbol.for('hermes-elements.session.v1'),
      callback: (value: unknown) => asked.push(value),
    });
    element.appendChild(document.createElement('p')).dispatchEvent(request);
    assert.equal(asked[0], session);
  });
});

describe('a session named by id', () => {
  it('may come later, and may be replaced', async () => {
    const page = mount('<div><hermes-transcript session="named"></hermes-transcript></div>');
    const element = find<HermesTranscript>(page, 'hermes-transcript');
    await settled();
    assert.equal(answerOf(element), null);
    const put = async (answer: string) => {
      const provider = Object.assign(document.createElement('hermes-session'), {session: new Shown(answer)});
      provider.id = 'named';
      page.append(provider);
      await settled();
      return provider;
    };
    const first = await put('first');
    assert.equal(answerOf(element), 'first');
    first.remove();
    await settled();
    assert.equal(answerOf(element), 'first', 'what was shown stays');
    await put('second');
    assert.equal(answerOf(element), 'second');
  });

  it('answers for itself alone: not by what stands around it while it is not yet upgraded', async () => {
    const [name, define] = late();
    const page = mount(
      `<div><hermes-session><${name} id="inner"></${name}></hermes-session><hermes-turn session="inner"></hermes-turn></div>`,
    );
    sessionOf(page, 'hermes-session', new Shown('around'));
    await settled();
    const element = find<HermesTurn>(page, 'hermes-turn');
    assert.equal(element.shown, null);
    sessionOf(page, name, new Shown('inner'));
    define();
    await settled();
    assert.equal(answerOf(element), 'inner');
  });

  it('keeps its name when another provider comes to stand in it', async () => {
    const page = mount(
      '<div><hermes-session id="x"></hermes-session><hermes-session id="y"><hermes-turn session="x"></hermes-turn></hermes-session></div>',
    );
    const x = sessionOf(page, '#x', new Shown('x'));
    sessionOf(page, '#y', new Shown('y'));
    await settled();
    x.append(document.createElement('hermes-transcript'));
    await settled();
    assert.equal(answerOf(find(page, 'hermes-turn')), 'x');
  });

  it('is looked for in the element’s own tree, then in the document', async () => {
    const page = mount('<div><hermes-session id="there"></hermes-session><p></p></div>');
    sessionOf(page, '#there', new Shown('document'));
    const root = find(page, 'p').attachShadow({mode: 'open'});
    root.innerHTML = '<hermes-turn session="there"></hermes-turn>';
    await settled();
    assert.equal(answerOf(find(root, 'hermes-turn')), 'document');
    root.append(
      Object.assign(document.createElement('hermes-session'), {id: 'there', session: new Shown('tree')}),
    );
    await settled();
    assert.equal(answerOf(find(root, 'hermes-turn')), 'tree');
  });
});

describe('a session of the page', () => {
  it('is shown, wins over what stands around, and is given back', async () => {
    const given = new Shown('given');
    const page = mount<HermesSession>(
      '<hermes-session><hermes-transcript></hermes-transcript></hermes-session>',
      {
        session: new Shown('around'),
      },
    );
    const element = find<HermesTranscript>(page, 'hermes-transcript');
    element.session = given;
    await settled();
    assert.equal(answerOf(element), 'given');
    element.session = undefined;
    await settled();
    assert.equal(answerOf(element), 'around');
    assert.equal(given.listeners, 0);
  });

  it('an attribute that is removed is as if it had never been', async () => {
    const feed = createFeed();
    const page = mount<HermesSession>(
      '<hermes-session><hermes-transcript src="/events/run_1"></hermes-transcript></hermes-session>',
      {
        session: new Shown('around'),
      },
    );
    const element = Object.assign(find<HermesTranscript>(page, 'hermes-transcript'), {fetch: feed.fetch});
    await feed.send(token('Own'));
    assert.equal(answerOf(element), 'Own');
    element.removeAttribute('src');
    await settled();
    assert.equal(answerOf(element), 'around');
    assert.ok(feed.aborted);
    element.setAttribute('session', 'nowhere');
    await settled();
    assert.equal(element.shown, null);
    element.removeAttribute('session');
    await settled();
    assert.equal(answerOf(element), 'around');
    assert.deepEqual(feed.asked, ['/events/run_1']);
  });
});

describe('a source that several elements name', () => {
  const pair = (markup: string, properties: Partial<HermesTranscript> = {}) => {
    const page = mount('<div></div>');
    page.innerHTML = markup;
    return [...page.children].map((element) => Object.assign(element as HermesTranscript, properties));
  };
  const twice = '<hermes-transcript src="/events/run_1"></hermes-transcript>'.repeat(2);

  it('is read over one connection, until the last of them is gone', async () => {
    const feed = createFeed();
    const [one, two] = pair(twice, {fetch: feed.fetch, headers: {authorization: 'Bearer x'}});
    await feed.send(token('Shared'));
    assert.equal(feed.asked.length, 1);
    assert.deepEqual([answerOf(one!), answerOf(two!)], ['Shared', 'Shared']);
    one!.remove();
    await feed.send(token(' still'));
    assert.equal(feed.aborted, false);
    assert.deepEqual([answerOf(one!), answerOf(two!)], ['Shared', 'Shared still']);
    two!.remove();
    await settled();
    assert.ok(feed.aborted);
  });

  it('is read by each for itself where they are different readers', async () => {
    const feed = createFeed();
    const [one, two] = pair(twice, {fetch: feed.fetch});
    one!.headers = {authorization: 'Bearer one'};
    two!.headers = {authorization: 'Bearer two'};
    await settled();
    assert.equal(feed.asked.length, 2);
    assert.ok(one!.shown !== two!.shown);
  });

  it('goes on with new headers where it stands; from none to some it begins again', async () => {
    const sent: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return Promise.resolve(new Response('', {status: 401}));
    };
    const element = mount<HermesTranscript>('<hermes-transcript src="/events/run_1"></hermes-transcript>', {
      fetch,
    });
    await settled();
    element.headers = {authorization: 'one'};
    await settled();
    const {shown} = element;
    element.headers = () => ({authorization: 'two'});
    await settled();
    assert.equal(element.shown, shown);
    element.connect();
    await settled();
    // One that is refused is asked once more.
    assert.deepEqual([...new Set(sent)], [null, 'one', 'two']);
  });

  it('two that show a snapshot of their own share nothing', async () => {
    const island =
      '<hermes-transcript><script type="application/json">{"session_id": "s1", "messages": []}</script></hermes-transcript>';
    const [one, two] = pair(island + island);
    await settled();
    assert.ok(one!.shown && one!.shown !== two!.shown);
  });
});

describe('a turn by its id', () => {
  const session = () => {
    const one = new Session();
    const messages = ['first', 'second', 'third'].flatMap((answer, index) => [
      {role: 'user', content: `${index}`, timestamp: index},
      {role: 'assistant', content: answer, timestamp: index},
    ]);
    one.snapshot = {session: {session_id: 's1', updated_at: 1, messages}};
    return one;
  };

  it('is any turn of the session, by id or alias; the newest without', async () => {
    const page = mount<HermesSession>(
      '<hermes-session><hermes-turn turn-id="m2"></hermes-turn><hermes-turn></hermes-turn></hermes-session>',
      {session: session()},
    );
    await settled();
    const [element, newest] = [...page.children] as HermesTurn[];
    assert.equal(answerOf(element!), 'second');
    assert.equal(answerOf(newest!), 'third');
    element!.turnId = 'm0';
    await settled();
    assert.equal(answerOf(element!), 'first');
    element!.setAttribute('turn-id', 'nothing');
    await settled();
    assert.equal(answerOf(element!), null);
    element!.removeAttribute('turn-id');
    await settled();
    assert.equal(answerOf(element!), 'third');
  });

  it('stays that turn when it gets another id', async () => {
    const feed = createFeed();
    const page = mount<HermesSession>(
      '<hermes-session src="/events/run_1"><hermes-turn turn-id="run_1"></hermes-turn></hermes-session>',
      {fetch: feed.fetch},
    );
    await feed.send(token('Hello'));
    const [element] = [...page.children] as HermesTurn[];
    assert.equal(answerOf(element!), 'Hello');
    const messages = [
      {role: 'user', content: 'Hi', timestamp: 1},
      {role: 'assistant', content: 'Hello', timestamp: 2},
    ];
    await feed.send(['done', {session: {session_id: 's1', updated_at: 2, messages}}]);
    assert.equal(answerOf(element!), 'Hello');
    const alias = page.shown!.transcript.turns[0]!.aliases[0]!;
    assert.ok(alias);
    element!.turnId = alias;
    await settled();
    assert.equal(answerOf(element!), 'Hello');
  });
});
