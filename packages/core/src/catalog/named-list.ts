import { qualify } from '@mcpmux/namespace';

import type { Definition } from '../server/lists/definition.js';
import type { Upstream } from '../server/upstream.js';
import { byServer } from './by-server.js';
import { exposedNameFor, isListed, type ExposedDefinition } from './exposed-definition.js';

/** The tools, or the prompts, of all servers at one moment: definitions that clients know by name. */
export interface NamedList {
  /** Every entry of every listed server that is offered, in the order of the list. */
  readonly entries: readonly ExposedDefinition[];
  /**
   * By exposed name and by qualified name. Also those that a crashed server had: whoever calls one is told about the
   * crash, and a fitted name does not tell which server it belongs to.
   */
  readonly byName: ReadonlyMap<string, ExposedDefinition>;
  /** The entries of each local name, for clients that use the name which its own server gave to it. */
  readonly byLocalName: ReadonlyMap<string, readonly ExposedDefinition[]>;
  /** Returns the entries of a server. */
  entriesOf(upstream: Upstream): readonly ExposedDefinition[];
}

/**
 * Merges one list of all servers, in the order of their registration.
 *
 * @param isOffered a definition that is not offered is in no list and keeps its name: a call of it is not unknown
 */
export function mergeNamed(
  upstreams: readonly Upstream[],
  definitionsOf: (upstream: Upstream) => readonly Definition[],
  nameBudget: number,
  isOffered: (entry: ExposedDefinition) => boolean = () => true,
): NamedList {
  const all = exposeAll(upstreams, definitionsOf, nameBudget);
  const listed = all.filter(({ upstream }) => isListed(upstream));
  const byName = new Map<string, ExposedDefinition>();
  for (const entry of all) byName.set(entry.qualifiedName, entry).set(entry.exposedName, entry);
  const byLocalName = new Map<string, ExposedDefinition[]>();
  for (const entry of listed) {
    const namesakes = byLocalName.get(entry.definition.key);
    if (namesakes === undefined) byLocalName.set(entry.definition.key, [entry]);
    else namesakes.push(entry);
  }
  const entries = listed.filter(isOffered);
  return { entries, byName, byLocalName, entriesOf: byServer(entries, ({ upstream }) => upstream) };
}

/** Qualified names come first: a name fitted for one entry must never be the qualified name of another. */
function exposeAll(
  upstreams: readonly Upstream[],
  definitionsOf: (upstream: Upstream) => readonly Definition[],
  nameBudget: number,
): readonly ExposedDefinition[] {
  const qualified = upstreams.flatMap((upstream) =>
    definitionsOf(upstream).map((definition) => ({
      upstream,
      definition,
      name: qualify(upstream.name, definition.key),
    })),
  );
  const taken = new Set<string>(qualified.map(({ name }) => name));
  return qualified.map(({ upstream, definition, name }) => {
    const exposedName = exposedNameFor(name, nameBudget, taken);
    taken.add(exposedName);
    return { upstream, definition, qualifiedName: name, exposedName };
  });
}
