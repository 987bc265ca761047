import { maskArgs } from './mask-secrets.js';
import { REDACTED } from './redactor.js';

/**
 * A url for a question to the user, from whom nothing may be hidden that decides where it leads: only user and password,
 * and what looks like a secret in the path and the query. `redact` hides what else is known; never in the host.
 */
export function askedUrl(
  text: string,
  redact: (text: string) => string = (part) => part,
): { readonly url: string; readonly secrets: readonly string[] } {
  const read = URL.canParse(text) ? new URL(text) : undefined;
  if (read === undefined || !/^https?:$/.test(read.protocol)) return { url: '(no url)', secrets: [] };
  const secrets: string[] = [];
  const mask = (part: string): string => {
    const masked = maskArgs([redact(part)]);
    secrets.push(...masked.secrets);
    return masked.args.join('');
  };
  // As it is understood: `https://a\@b` leads to a.
  const { protocol, username, password, host, pathname, search } = read;
  const user = username === '' && password === '' ? '' : `${REDACTED}@`;
  if (user !== '') secrets.push(username, password);
  const path = pathname.split('/').map(mask).join('/');
  const query = search.split('&').map(mask).join('&');
  return {
    url: `${protocol}//${user}${host}${path}${query}`,
    secrets: secrets.filter((secret) => secret !== ''),
  };
}
