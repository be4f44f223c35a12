/** Which session ids are one session: rotation links ids, and the newest is the session's id (law 9). */
export interface SessionIds {
  /** Chains of ids proven to be one session, oldest first. */
  readonly links: readonly (readonly string[])[];
  /** The id everything is measured against: asked for, else that of the settled payload, else the first named. */
  readonly root: string | null;
}

/** All ids connected with `root`, and the newest of them. */
export function sessionFamily({links, root}: SessionIds): {
  readonly id: string | null;
  readonly family: ReadonlySet<string>;
} {
  if (root === null) return {id: null, family: new Set()};
  const family = new Set([root]);
  for (let grown = true; grown;) {
    grown = false;
    for (const chain of links) {
      if (!chain.some((id) => family.has(id)) || chain.every((id) => family.has(id))) continue;
      for (const id of chain) family.add(id);
      grown = true;
    }
  }
  return {id: newest(root, links), family};
}

function newest(root: string, links: readonly (readonly string[])[]): string {
  let id = root;
  const seen = new Set([id]);
  for (;;) {
    const next = links
      .map((chain) => chain[chain.indexOf(id) + 1])
      .find((later, n) => later !== undefined && links[n]!.includes(id) && !seen.has(later));
    if (next === undefined) return id;
    seen.add(next);
    id = next;
  }
}
