/** `/__strict__/?file=…&file=…`: a page under the header the README promises to run under, with these script-tag files. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
];

/** Listens before the bundle loads, or what is violated at load would be missed. */
const watch = `globalThis.violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.sample));
addEventListener('error', (event) => violations.push(event.message));`;

const scriptTag = (file) =>
  `<script ${file.endsWith('.iife.js') ? '' : 'type="module"'} src="${file}"></script>`;

const page = (files) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Strict</title>
<script src="/__strict__/watch.js"></script>
${files.map(scriptTag).join('\n')}
<hermes-transcript>Before upgrade.</hermes-transcript></html>`;

/** `policies` are the names of Trusted Types policies that the page allows; `hermes-elements` unless told. */
export const strictPage = (context, next) => {
  if (!context.path.startsWith('/__strict__/')) return next();
  if (context.path.endsWith('/watch.js')) {
    context.type = 'text/javascript';
    context.body = watch;
    return undefined;
  }
  const {policies = 'hermes-elements'} = context.query;
  context.set('content-security-policy', [...policy, `trusted-types ${policies}`].join('; '));
  context.type = 'text/html';
  context.body = page([context.query.file ?? []].flat());
  return undefined;
};
