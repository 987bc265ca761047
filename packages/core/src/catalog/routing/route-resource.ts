import type { CatalogSnapshot, KnownUris } from '../catalog-view.js';
import type { OwnedResource } from '../resource-names.js';
import type { Upstream } from '../../server/upstream.js';

/** Maximum number of servers to try in turn for a resource whose server is unknown. */
export const MAX_TRIED_SERVERS = 5;

/** The destination of a request that contains a resource URI. */
export type ResourceRoute =
  | { readonly kind: 'owner'; readonly resource: OwnedResource }
  /** At least two servers that may have the resource, the likeliest first. */
  | { readonly kind: 'candidates'; readonly upstreams: readonly Upstream[] }
  | { readonly kind: 'unknown' };

/**
 * Finds the server for a URI, which does not contain the server's name. Checks, in this order: listed resources, skill
 * files, URIs that a server mentioned, matching templates, and the URI's scheme and authority. If none of these
 * identifies one server, returns the servers to try.
 */
export function routeResource(
  uri: string,
  { resources, upstreams }: CatalogSnapshot,
  knownUris: KnownUris,
): ResourceRoute {
  const listed = resources.byUri.get(uri);
  if (listed !== undefined) return { kind: 'owner', resource: listed };
  const skills = knownUris.skillsAt(uri);
  const skill = upstreams.flatMap((one) => skills.filter(({ upstream }) => upstream === one))[0];
  if (skill !== undefined) return { kind: 'owner', resource: skill };
  const uriOwner = knownUris.ownerOf(uri);
  if (uriOwner !== undefined) return ownerRoute(uriOwner, uri);
  const resourceServers = upstreams.filter(hasResources);
  const matching = serversByTemplate(uri, resourceServers);
  const [likeliest] = matching;
  if (likeliest !== undefined && matching.length === 1) return ownerRoute(likeliest, uri);
  const related = matching.length > 0 ? matching : serversByOrigin(uri, resourceServers, knownUris);
  const [onlyRelated] = related;
  if (onlyRelated !== undefined && related.length === 1 && matching.length === 0)
    return ownerRoute(onlyRelated, uri);
  const candidates = [...new Set([...related, ...resourceServers])].slice(0, MAX_TRIED_SERVERS);
  const [only] = candidates;
  if (only === undefined) return { kind: 'unknown' };
  return candidates.length === 1 ? ownerRoute(only, uri) : { kind: 'candidates', upstreams: candidates };
}

/** Finds the server for the template or URI in a completion request. */
export function routeTemplate(
  template: string,
  snapshot: CatalogSnapshot,
  knownUris: KnownUris,
): ResourceRoute {
  const first = snapshot.upstreams.find(({ lists }) =>
    lists.resourceTemplates.some(({ key }) => key === template),
  );
  return first === undefined ? routeResource(template, snapshot, knownUris) : ownerRoute(first, template);
}

function ownerRoute(upstream: Upstream, uri: string): ResourceRoute {
  return { kind: 'owner', resource: { upstream, uri } };
}

function hasResources({ identity, connection }: Upstream): boolean {
  return connection !== undefined && identity?.capabilities['resources'] !== undefined;
}

/** Returns the servers whose matching template is the most specific. Several servers may share it. */
function serversByTemplate(uri: string, upstreams: readonly Upstream[]): readonly Upstream[] {
  const scored = upstreams.map((upstream) => ({
    upstream,
    score: Math.max(
      -1,
      ...upstream.lists.resourceTemplates
        .filter(({ key }) => mayMatchTemplate(key, uri))
        .map(({ key }) => literalLength(key)),
    ),
  }));
  const matching = scored.filter(({ score }) => score >= 0).toSorted((a, b) => b.score - a.score);
  const [best] = matching;
  return matching.filter(({ score }) => score === best?.score).map(({ upstream }) => upstream);
}

function serversByOrigin(
  uri: string,
  upstreams: readonly Upstream[],
  knownUris: KnownUris,
): readonly Upstream[] {
  const origin = originOf(uri);
  if (origin === undefined) return [];
  const hasSameOrigin = (other: string): boolean => other.startsWith(origin) && originOf(other) === origin;
  const uriOwners = knownUris.ownersWhere(hasSameOrigin);
  return upstreams.filter(
    (upstream) => uriOwners.has(upstream) || upstream.lists.resources.some(({ key }) => hasSameOrigin(key)),
  );
}

/** Returns the URI's scheme and authority; undefined if it has no scheme. */
function originOf(uri: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9+.-]*:(\/\/[^/?#]*)?/.exec(uri)?.[0];
}

/** An expression of a URI template (RFC 6570): `{id}`, `{+path}`, `{?q,page}`. */
const TEMPLATE_EXPRESSION = /\{[^{}]*\}/;

/**
 * True if a template might produce a URI. An expression matches any string, because servers differ in the characters
 * they accept, and the chosen server checks the URI itself.
 *
 * The template is not converted to a regular expression, because a server could send a template whose match takes
 * exponential time.
 */
export function mayMatchTemplate(template: string, uri: string): boolean {
  const [head = '', ...literals] = template.split(TEMPLATE_EXPRESSION);
  if (literals.length === 0) return template === uri;
  const tail = literals.pop() ?? '';
  if (uri.length < head.length + tail.length || !uri.startsWith(head) || !uri.endsWith(tail)) return false;
  let position = head.length;
  const end = uri.length - tail.length;
  for (const literal of literals) {
    const index = uri.indexOf(literal, position);
    if (index < 0 || index + literal.length > end) return false;
    position = index + literal.length;
  }
  return true;
}

/** Returns the number of literal characters in a template, a measure of how specific it is. */
export function literalLength(template: string): number {
  return template.split(TEMPLATE_EXPRESSION).join('').length;
}
