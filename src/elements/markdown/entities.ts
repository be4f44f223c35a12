/** The entities that few texts use: their table is loaded when a text first does. */

type Table = Readonly<Record<string, string>>;

let table: Table | null = null;
let loading: Promise<void> | null = null;
const waiting = new Set<() => void>();

export function findEntity(name: string): string | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Loads the table, unless it is here; then tells whoever waits. An entity that is in no table stays as it was written. */
export function loadEntities(then: () => void): void {
  if (table) return;
  waiting.add(then);
  loading ??= import('character-entities').then(
    ({characterEntities}) => {
      table = characterEntities;
      for (const each of waiting) each();
      waiting.clear();
    },
    () => {
      // As written, until another text asks.
      loading = null;
      waiting.clear();
    },
  );
}
