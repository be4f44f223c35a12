// Counts what the page's policy had to refuse. A classic script, so that it stands before the modules load.
const seen = [];

document.addEventListener('securitypolicyviolation', ({effectiveDirective, sample, blockedURI}) => {
  seen.push(`${effectiveDirective}: ${sample || blockedURI}`);
  show();
});
document.addEventListener('DOMContentLoaded', show);

function show() {
  const line = document.querySelector('#violations');
  if (!line) return;
  line.dataset.state = seen.length === 0 ? 'good' : 'bad';
  line.dataset.count = seen.length;
  line.textContent =
    seen.length === 0 ? '0 violations of the policy' : `${seen.length} violations: ${seen.join('; ')}`;
}
