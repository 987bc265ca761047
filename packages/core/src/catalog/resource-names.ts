import { aliasUri } from '@mcpmux/namespace';

import type { Upstream } from '../server/upstream.js';
import { uiResourcesOf } from './list-entries.js';

/** A resource and its server. */
export interface OwnedResource {
  readonly upstream: Upstream;
  /** The URI that the server itself uses. */
  readonly uri: string;
}

/** A snapshot of the URIs that clients use for the resources of all servers. */
export interface ResourceNames {
  /** The resources by the URI that clients use, including the resources of crashed servers. */
  readonly byUri: ReadonlyMap<string, OwnedResource>;
  /** Returns a server's aliases, by the server's own URI. */
  aliasesOf(upstream: Upstream): ReadonlyMap<string, string>;
}

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/**
 * Assigns a unique URI to every resource that servers list or that their tools name. URIs stay unchanged if possible,
 * because they also occur in text that cannot be rewritten. If two servers use the same URI, the server that was
 * registered later gets an alias for it.
 */
export function nameResources(upstreams: readonly Upstream[]): ResourceNames {
  const byUri = new Map<string, OwnedResource>();
  const aliases = new Map<Upstream, Map<string, string>>();
  for (const upstream of upstreams) {
    const uris = urisOf(upstream);
    for (const uri of uris) {
      // An alias must not equal a URI of this server or of an earlier server, because clients may already use that URI.
      const isInUse = (candidate: string): boolean => uris.has(candidate) || byUri.has(candidate);
      const exposedUri = byUri.has(uri) ? unusedAliasFor(uri, upstream, isInUse) : uri;
      byUri.set(exposedUri, { upstream, uri });
      if (exposedUri === uri) continue;
      const serverAliases = aliases.get(upstream) ?? new Map<string, string>();
      aliases.set(upstream, serverAliases.set(uri, exposedUri));
    }
  }
  return { byUri, aliasesOf: (upstream) => aliases.get(upstream) ?? NO_ALIASES };
}

function urisOf({ lists }: Upstream): ReadonlySet<string> {
  const listedUris = lists.resources.map(({ key }) => key);
  const toolUris = lists.tools.flatMap((tool) => uiResourcesOf(tool).map(({ uri }) => uri));
  return new Set([...listedUris, ...toolUris]);
}

function unusedAliasFor(uri: string, upstream: Upstream, isInUse: (uri: string) => boolean): string {
  const alias = aliasUri(uri, upstream.name);
  return isInUse(alias) ? unusedAliasFor(alias, upstream, isInUse) : alias;
}
