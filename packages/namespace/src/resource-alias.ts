import type { ServerName } from './server-name.js';

/** Matches a URI with `://` (RFC 3986), and captures the scheme and the text after it. */
const HIERARCHICAL_URI = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s;

/**
 * Returns another URI for a resource whose URI another server already uses. `ui://main` of server `b` becomes
 * `ui://b/main`, and a URI without `://` becomes `mcpmux:b:{uri}`.
 *
 * The scheme and the last path segment are unchanged, because the schemes `ui:` and `skill:` have a meaning, and so
 * does a skill's last segment, its name. Distinct URIs of one server give distinct aliases.
 */
export function aliasUri(uri: string, server: ServerName): string {
  const [, scheme, rest] = HIERARCHICAL_URI.exec(uri) ?? [];
  const name = encodeURIComponent(server);
  return scheme === undefined || rest === undefined ? `mcpmux:${name}:${uri}` : `${scheme}://${name}/${rest}`;
}
