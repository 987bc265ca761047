import { maskArgs } from './mask-secrets.js';
import { REDACTED } from './redactor.js';

const MASK = '***';
const NO_URL = '(no url)';
/** A path segment of letters and digits is treated as a key if it has at least this many characters. */
const MIN_KEY_LENGTH = 16;

type Redact = (text: string) => string;

/**
 * Returns a URL for lists, logs and errors: without user, password, query values, fragment, and path segments that look
 * like keys. `redact` hides further known secrets, but never in the host, because the host decides the destination.
 */
export function redactUrl(text: string, redact: Redact = (part) => part): string {
  const url = parseHttpUrl(text);
  if (url === undefined) return NO_URL;
  const user = hasCredentials(url) ? `${MASK}@` : '';
  const path = url.pathname.split('/').map(redactSegment).join('/');
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${MASK}`);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${url.protocol}//${user}${url.host}${redact(`${path}${query}`)}`;
}

/**
 * Returns a URL for a prompt, where the user must see every part that determines the destination. Masks the username
 * and password, and likely secrets in the path and query. `redact` hides known secrets too, but never in the host.
 */
export function askedUrl(
  text: string,
  redact: Redact = (part) => part,
): { readonly url: string; readonly secrets: readonly string[] } {
  const read = parseHttpUrl(text);
  if (read === undefined) return { url: NO_URL, secrets: [] };
  // The parts come from the URL parser, because the host of `https://a\@b` is `a`.
  const { protocol, username, password, host, pathname, search } = read;
  const secrets = [username, password];
  const mask = (part: string): string => {
    const masked = maskArgs([redact(part)]);
    secrets.push(...masked.secrets);
    return masked.args.join('');
  };
  const user = hasCredentials(read) ? `${REDACTED}@` : '';
  const path = pathname.split('/').map(mask).join('/');
  const query = search.split('&').map(mask).join('&');
  return {
    url: `${protocol}//${user}${host}${path}${query}`,
    secrets: secrets.filter((secret) => secret !== ''),
  };
}

/** Returns a URL's secret parts, both as written and decoded. */
export function secretsOfUrl(url: URL): readonly string[] {
  const { username, password, searchParams, pathname } = url;
  const segments = pathname.split('/').filter((segment) => redactSegment(segment) === MASK);
  return [username, password, ...searchParams.values(), ...segments].flatMap((text) => [text, decode(text)]);
}

/** Parses an HTTP URL. Returns undefined for any other text, because its secret parts are unknown. */
function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function redactSegment(segment: string): string {
  const isKey = segment.length >= MIN_KEY_LENGTH && /\d/.test(segment) && /[a-z]/i.test(segment);
  return isKey ? MASK : segment;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
