/** Addresses from outside, which become links only with a harmless protocol. */

const ALLOWED = /^(?:https?|mailto):$/;

/** The address in full if it may be a link, else null: it then stays text. */
export function safeUrl(address: string, base?: string): string | null {
  try {
    const url = new URL(address, base);
    return ALLOWED.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
