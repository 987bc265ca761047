const MASK = '***';
/** A path segment of this length with letters and digits is a key more often than a name. */
const MIN_KEY_LENGTH = 16;

/**
 * A url as it may be shown: without user, password, values of the query, fragment, and parts of the path that look like
 * keys. `redact` hides what else is known; never in the host, which is where it leads.
 */
export function shownUrl(text: string, redact: (text: string) => string = (part) => part): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Of something else it cannot be known what in it is secret.
  if (url === undefined || !/^https?:$/.test(url.protocol)) return '(no url)';
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  const path = url.pathname.split('/').map(shownSegment).join('/');
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${MASK}`);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${url.protocol}//${user}${url.host}${redact(`${path}${query}`)}`;
}

/** What of a url nobody should read. */
export function secretsOfUrl(url: URL): readonly string[] {
  const { username, password, searchParams, pathname } = url;
  const segments = pathname.split('/').filter((segment) => shownSegment(segment) === MASK);
  return [username, password, ...searchParams.values(), ...segments].flatMap((text) => [text, decoded(text)]);
}

function shownSegment(segment: string): string {
  const isKey = segment.length >= MIN_KEY_LENGTH && /\d/.test(segment) && /[a-z]/i.test(segment);
  return isKey ? MASK : segment;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
