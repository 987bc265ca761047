import type { ServerName } from './server-name.js';

/** A scheme with an authority or a path behind two slashes (RFC 3986). */
const HIERARCHICAL = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s;

/**
 * Another URI for a resource whose own is taken by another server: `ui://main` of server `b` becomes `ui://b/main`,
 * and one without `://` becomes `mcpmux:b:{uri}`.
 *
 * Scheme and last path segment stay: `ui:` and `skill:` carry a meaning, and so does the name of a skill. Distinct
 * URIs of one server give distinct aliases.
 */
export function aliasUri(uri: string, server: ServerName): string {
  const [, scheme, rest] = HIERARCHICAL.exec(uri) ?? [];
  const name = encodeURIComponent(server);
  return scheme === undefined || rest === undefined ? `mcpmux:${name}:${uri}` : `${scheme}://${name}/${rest}`;
}
