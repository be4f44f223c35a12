/** Draws nothing: what the page itself costs. */
export default function noop() {
  return {push() {}};
}
