/** Request headers as a host gives them: an object, or a function asked again on every attempt (tokens expire). */
export type HeadersSource = Headers | Record<string, string> | (() => HeadersObject | Promise<HeadersObject>);

type HeadersObject = Headers | Record<string, string>;

/** The headers of one attempt, in an object of our own. */
export async function currentHeaders(source: HeadersSource | undefined): Promise<Headers> {
  return new Headers(typeof source === 'function' ? await source() : source);
}
