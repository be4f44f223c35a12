/** Removes secrets and the home folder from what an agent printed, before anybody keeps or shows it (acp.md A7.8). */

export type Redact = (text: string) => string;

const SECRET = '[secret]';

/** Names of variables whose values are nobody's business. */
const secretName = /key|token|secret|passw|passphrase|credential|auth|cookie|private|bearer|session_id/i;

/** Values shorter than this would take innocent words with them (`AUTH=true`). */
const SHORTEST = 6;

/** What looks like a secret wherever it stands. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Headers, then the known shapes of keys: OpenAI and its likes, GitHub, Slack, Google, AWS, JSON web tokens.
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${SECRET}`],
  [/\b(?:sk|pk|rk)-[\w-]{8,}/g, SECRET],
  [/\b(?:gh[opsur]_\w{16,}|github_pat_\w{16,})/g, SECRET],
  [/\bxox[a-z]-[\w-]{8,}/g, SECRET],
  [/\bAIza[\w-]{20,}/g, SECRET],
  [/\bA(?:KIA|SIA)[A-Z0-9]{12,}/g, SECRET],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, SECRET],
  // `user:password@` of an address.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${SECRET}@`],
  // `api_key=…`, `"token": "…"`, `Authorization: …`.
  [
    /((?:[\w-]*(?:api[_-]?key|token|secret|password|passwd|authorization)[\w-]*)["']?\s*[:=]\s*["']?)(?!\[secret\]|Bearer |Basic )[^\s"',;&]{4,}/gi,
    `$1${SECRET}`,
  ],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*/g, SECRET],
];

/** A redactor that knows the values of an environment. */
export function redactor(env: Readonly<Record<string, string>> = {}): Redact {
  const values = Object.entries(env)
    .filter(([name, value]) => secretName.test(name) && value.trim().length >= SHORTEST)
    .map(([, value]) => value.trim())
    // The longest first: one secret may begin with another.
    .sort((a, b) => b.length - a.length);
  const homes = [env['HOME'], env['USERPROFILE']].filter((home): home is string => (home?.length ?? 0) > 1);
  return (text) => {
    let shown = text;
    for (const value of values) shown = shown.replaceAll(value, SECRET);
    for (const [pattern, instead] of patterns) shown = shown.replace(pattern, instead);
    for (const home of homes) shown = shown.replaceAll(home, '~');
    return shown;
  };
}
