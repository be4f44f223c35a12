/** Stands in the page before all else: finds things as a reader does, by role and name, and tells what the page breaks. */
/* global customElements, document, addEventListener, console */
(() => {
  addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI, sourceFile, lineNumber}) =>
    console.error(`CSP: ${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`),
  );

  const roles = {
    alert: '[role=alert]',
    button: 'button',
    combobox: 'select',
    group: '[role=group]',
    textbox: 'textarea',
  };

  /** Everything that fits a selector, in shadow roots too. */
  const deep = (root, selector) =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      ...(one.matches(selector) ? [one] : []),
      ...(one.shadowRoot ? deep(one.shadowRoot, selector) : []),
    ]);

  const nameOf = (element) => {
    const label = element.labels?.[0]?.firstElementChild?.textContent;
    return (element.ariaLabel ?? label ?? element.textContent).trim();
  };

  const transcript = () => document.querySelector('hermes-transcript');
  const turns = () => transcript()?.snapshot?.turns ?? [];

  globalThis.journey = {
    /** The last one with this role and this name, else a name that begins so, if it can be seen and pressed. */
    find(role, name) {
      const usable = deep(document, roles[role]).filter(
        (one) => one.checkVisibility() && !one.disabled && !one.closest('[inert]'),
      );
      const named = (fits) => usable.filter((one) => fits(nameOf(one))).at(-1);
      return named((own) => own === name) ?? named((own) => own.startsWith(name)) ?? null;
    },

    turns: () =>
      turns().map(({id, aliases, prompt, answer, terminal, status, artifacts, items}) => ({
        ...{id, aliases, answer, terminal, status},
        prompt: prompt?.text ?? prompt,
        artifacts: artifacts.map(({path}) => path),
        tools: items.filter(({tool}) => tool).map(({tool}) => tool.status),
      })),

    /** All that the reader can see of the conversation. */
    said: () => transcript()?.toMarkdown() ?? '',
    note: () => document.getElementById('text').value,
    talk: () => document.getElementById('agent').sessionId ?? null,
    isFollowing: () => transcript().shadowRoot.querySelector('[part=follow-button]').hidden,
    text: (selector) => deep(document, selector).map((one) => one.textContent.trim().replace(/\s+/g, ' ')),
    options: (name) =>
      [...(globalThis.journey.find('combobox', name)?.options ?? [])].map(({value}) => value),

    /** Where the screen differs from the scene. */
    async differences() {
      const {expectedRows, parseDisplayMode, project, reconcile} = await import('/dist/scene/index.js');
      await customElements.whenDefined('hermes-turn');
      const {mode, shadowRoot} = transcript();
      return [...shadowRoot.querySelectorAll('[part=turn]')].flatMap((turn) => {
        const scene = project(turn.anchor, parseDisplayMode(mode));
        return reconcile(expectedRows(scene, {open: turn.openRows}), turn.renderedRows()).mismatches;
      });
    },
  };
})();
