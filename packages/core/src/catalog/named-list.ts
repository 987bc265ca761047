import { qualify } from '@mcpmux/namespace';

import type { Definition } from '../server/lists/definition.js';
import type { Upstream } from '../server/upstream.js';
import { indexByServer } from './by-server.js';
import { exposedNameFor, isListed, type ExposedDefinition } from './exposed-definition.js';

/** The tools or the prompts of all servers at one moment. Clients identify these definitions by name. */
export interface NamedList {
  /** Every offered entry of every listed server, in the order of the list. */
  readonly entries: readonly ExposedDefinition[];
  /**
   * The entries by exposed name and by qualified name. Includes a crashed server's entries, so that a call that uses a
   * fitted name, which does not reveal the server, gets an error about the crash.
   */
  readonly byName: ReadonlyMap<string, ExposedDefinition>;
  /** The entries by local name, for clients that use local names. */
  readonly byLocalName: ReadonlyMap<string, readonly ExposedDefinition[]>;
  /** Returns the entries of a server. */
  entriesOf(upstream: Upstream): readonly ExposedDefinition[];
}

/**
 * Merges one kind of list from all servers, in the order of their registration.
 *
 * @param isOffered returns false for a definition that is omitted from lists but can still be found by name
 */
export function mergeNamedLists(
  upstreams: readonly Upstream[],
  definitionsOf: (upstream: Upstream) => readonly Definition[],
  nameBudget: number,
  isOffered: (entry: ExposedDefinition) => boolean = () => true,
): NamedList {
  const allEntries = exposeAll(upstreams, definitionsOf, nameBudget);
  const listedEntries = allEntries.filter(({ upstream }) => isListed(upstream));
  const byName = new Map<string, ExposedDefinition>();
  for (const entry of allEntries) byName.set(entry.qualifiedName, entry).set(entry.exposedName, entry);
  const byLocalName = new Map<string, ExposedDefinition[]>();
  for (const entry of listedEntries) {
    const namesakes = byLocalName.get(entry.definition.key);
    if (namesakes === undefined) byLocalName.set(entry.definition.key, [entry]);
    else namesakes.push(entry);
  }
  const entries = listedEntries.filter(isOffered);
  return { entries, byName, byLocalName, entriesOf: indexByServer(entries, ({ upstream }) => upstream) };
}

/** Exposes all definitions. Reserves the qualified names first, because no fitted name may equal one of them. */
function exposeAll(
  upstreams: readonly Upstream[],
  definitionsOf: (upstream: Upstream) => readonly Definition[],
  nameBudget: number,
): readonly ExposedDefinition[] {
  const qualifiedDefinitions = upstreams.flatMap((upstream) =>
    definitionsOf(upstream).map((definition) => ({
      upstream,
      definition,
      name: qualify(upstream.name, definition.key),
    })),
  );
  const usedNames = new Set<string>(qualifiedDefinitions.map(({ name }) => name));
  return qualifiedDefinitions.map(({ upstream, definition, name }) => {
    const exposedName = exposedNameFor(name, nameBudget, usedNames);
    usedNames.add(exposedName);
    return { upstream, definition, qualifiedName: name, exposedName };
  });
}
