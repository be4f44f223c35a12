/** The address of a Hermes: a path such as `/p/<profile>` belongs to it; `/v1` and slashes at its end do not. */
export function upstreamRoot(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v1$/, '');
}
