import { maskArgs } from './mask-secrets.js';
import { REDACTED } from './redactor.js';

const MASK = '***';
const NO_URL = '(no url)';
/** A path segment of this length with letters and digits is a key more often than a name. */
const MIN_KEY_LENGTH = 16;

type Redact = (text: string) => string;

/**
 * A url for lists, logs and errors: without user, password, values of the query, fragment, and path segments that look
 * like keys. `redact` hides further known secrets, but never in the host, which decides where the url leads.
 */
export function redactUrl(text: string, redact: Redact = (part) => part): string {
  const url = httpUrl(text);
  if (url === undefined) return NO_URL;
  const user = hasUser(url) ? `${MASK}@` : '';
  const path = url.pathname.split('/').map(redactSegment).join('/');
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${MASK}`);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${url.protocol}//${user}${url.host}${redact(`${path}${query}`)}`;
}

/**
 * A url for a question to the user, who must see every part that decides where the url leads. Masks user and password,
 * and likely secrets in path and query. `redact` hides further known secrets, but never in the host.
 */
export function askedUrl(
  text: string,
  redact: Redact = (part) => part,
): { readonly url: string; readonly secrets: readonly string[] } {
  const read = httpUrl(text);
  if (read === undefined) return { url: NO_URL, secrets: [] };
  // As the parser reads the url: `https://a\@b` leads to a.
  const { protocol, username, password, host, pathname, search } = read;
  const secrets = [username, password];
  const mask = (part: string): string => {
    const masked = maskArgs([redact(part)]);
    secrets.push(...masked.secrets);
    return masked.args.join('');
  };
  const user = hasUser(read) ? `${REDACTED}@` : '';
  const path = pathname.split('/').map(mask).join('/');
  const query = search.split('&').map(mask).join('&');
  return {
    url: `${protocol}//${user}${host}${path}${query}`,
    secrets: secrets.filter((secret) => secret !== ''),
  };
}

/** The secret parts of a url. */
export function secretsOfUrl(url: URL): readonly string[] {
  const { username, password, searchParams, pathname } = url;
  const segments = pathname.split('/').filter((segment) => redactSegment(segment) === MASK);
  return [username, password, ...searchParams.values(), ...segments].flatMap((text) => [text, decoded(text)]);
}

/** Undefined for any other text, because its secret parts are unknown. */
function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function redactSegment(segment: string): string {
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
