/** Registers an element under its name, once a page, however many copies are loaded. */
export function register(name: string, element: CustomElementConstructor & {version: string}): void {
  const known = customElements.get(name) as {version?: string} | undefined;
  if (!known) customElements.define(name, element);
  else if (known.version !== element.version)
    console.warn(
      `<${name}> is already registered by hermes-elements ${known.version}; ${element.version} is not used.`,
    );
}
