import { qualify } from '@mcpmux/namespace';

import type { Definition } from '../server/lists/definition.js';
import type { Upstream } from '../server/upstream.js';
import { indexByServer } from './by-server.js';
import { exposedNameFor, isListed, type ExposedDefinition } from './exposed-definition.js';

/** The tools or the prompts of all servers at one moment. Clients identify these definitions by name. */
export interface NamedList {
  /** The offered entries of all listed servers, in list order. */
  readonly entries: readonly ExposedDefinition[];
  /**
   * The entries by exposed name and by qualified name. Includes a crashed server's entries, so that a call that uses a
   * fitted name, which does not reveal the server, gets an error about the crash.
   */
  readonly byName: ReadonlyMap<string, ExposedDefinition>;
  /** The listed servers' entries by local name, which several servers may share. */
  readonly byLocalName: ReadonlyMap<string, readonly ExposedDefinition[]>;
  entriesOf(upstream: Upstream): readonly ExposedDefinition[];
}

/**
 * Merges the tool lists or the prompt lists of all servers, in registration order.
 *
 * @param isOffered returns false for an entry that lists omit but that clients can still use by name
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

/** Assigns an exposed name to each definition. Reserves qualified names first, so that no fitted name equals one. */
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
