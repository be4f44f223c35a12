/** A browser test of a bug family; as test/unit/bug-families/family.ts, and listed with it. */
export function family(number: number, fact: string, run: () => Promise<void>): void {
  it(`#${number} ${fact}`, run);
}
