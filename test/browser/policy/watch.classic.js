/* Before anything of ours: notes what is violated and thrown, and tells the opener when it asks. */
/* global addEventListener, console, document */
(() => {
  const violations = [];
  const log = (text) => violations.push(String(text));
  addEventListener('securitypolicyviolation', (event) =>
    log(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample),
  );
  addEventListener('error', (event) => log(event.message || 'error'), true);
  addEventListener('unhandledrejection', (event) => log('rejected ' + event.reason));
  for (const level of ['error', 'warn']) {
    const say = console[level];
    console[level] = function (...words) {
      // A host's own Lit says in each file that it is in development mode.
      if (!/^Lit is in dev mode|^Multiple versions of Lit/.test(words[0])) log(level + ' ' + words[0]);
      return say.apply(this, words);
    };
  }
  const viewsOf = () => [
    ...document.querySelectorAll('hermes-transcript, body > hermes-turn, hermes-session > hermes-turn'),
  ];
  const told = (view) => {
    const root = view.shadowRoot;
    if (!root || !view.renderedRows) return null;
    const shown = [...root.querySelectorAll('[data-item-id]')].filter(
      // What is folded takes no room, though a search finds it.
      (row) => !row.hasAttribute('hidden') && row.getClientRects().length > 0,
    );
    return {
      tag: view.localName,
      rows: view.renderedRows(),
      shown: shown.map((row) => row.dataset.type),
      size: shown.map((row) => [
        row.getBoundingClientRect().width > 50,
        row.getBoundingClientRect().height > 8,
      ]),
      text: shown.map((row) => row.innerText ?? row.textContent).join('\n'),
      links: [...root.querySelectorAll('a[href]')].map((link) => link.href),
      images: root.querySelectorAll('img, script, iframe, object, style[media]').length,
      markdown: view.toMarkdown(),
      // Texts that wait for what draws them, and will not wait for ever.
      waiting: [...root.querySelectorAll('.text:not([data-plain]), div.ask:not([role])')].filter(
        // Raw HTML is not shown before what reads it is there.
        (text) => !text.querySelector('.blocks') || text.querySelector('.html:empty'),
      ).length,
      phase: view.shown && view.shown.connection.phase,
      problem: view.shown && view.shown.problem && view.shown.problem.message,
    };
  };
  addEventListener('message', ({source}) =>
    source.postMessage({violations, views: viewsOf().map(told), host: document.title}, '*'),
  );
})();
