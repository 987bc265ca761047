import { aliasUri } from '@mcpmux/namespace';

import type { Upstream } from '../server/upstream.js';
import { uiResourcesOf } from './ui-resource.js';

/** A resource by its server. */
export interface OwnedResource {
  readonly upstream: Upstream;
  /** The URI that its own server knows it by. */
  readonly uri: string;
}

/** Which URI means which server's resource, at one moment. */
export interface ResourceNames {
  /** By the URI that clients see. Also those that a crashed server had. */
  readonly byUri: ReadonlyMap<string, OwnedResource>;
  /** Returns the aliases of the URIs of a server, by URI. */
  aliasesOf(upstream: Upstream): ReadonlyMap<string, string>;
}

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/**
 * Gives every resource that servers list, or name in their tools, a URI of its own. URIs pass through unchanged, because
 * they stand in texts that nobody can rewrite; of two servers with the same URI, the one registered later gets an alias.
 */
export function nameResources(upstreams: readonly Upstream[]): ResourceNames {
  const byUri = new Map<string, OwnedResource>();
  const aliases = new Map<Upstream, Map<string, string>>();
  for (const upstream of upstreams) {
    const uris = urisOf(upstream);
    for (const uri of uris) {
      // Not what a later server calls something else: it would get what clients know of this one by being added.
      const isTaken = (candidate: string): boolean => uris.has(candidate) || byUri.has(candidate);
      const seen = byUri.has(uri) ? freeAlias(uri, upstream, isTaken) : uri;
      byUri.set(seen, { upstream, uri });
      if (seen === uri) continue;
      const own = aliases.get(upstream) ?? new Map<string, string>();
      aliases.set(upstream, own.set(uri, seen));
    }
  }
  return { byUri, aliasesOf: (upstream) => aliases.get(upstream) ?? NO_ALIASES };
}

function urisOf({ lists }: Upstream): ReadonlySet<string> {
  const listed = lists.resources.map(({ key }) => key);
  const ofTools = lists.tools.flatMap((tool) => uiResourcesOf(tool).map(({ uri }) => uri));
  return new Set([...listed, ...ofTools]);
}

function freeAlias(uri: string, upstream: Upstream, isTaken: (uri: string) => boolean): string {
  const alias = aliasUri(uri, upstream.name);
  return isTaken(alias) ? freeAlias(alias, upstream, isTaken) : alias;
}
