import type { Upstream } from '../server/upstream.js';

/**
 * Returns a function that looks up a server's entries, in their original order. Its first call groups all entries by
 * server, so that hundreds of look-ups need not each search thousands of entries.
 */
export function indexByServer<Entry>(
  entries: readonly Entry[],
  serverOf: (entry: Entry) => Upstream,
): (upstream: Upstream) => readonly Entry[] {
  let groups: ReadonlyMap<Upstream, readonly Entry[]> | undefined;
  return (upstream) => {
    groups ??= groupByServer(entries, serverOf);
    return groups.get(upstream) ?? [];
  };
}

function groupByServer<Entry>(
  entries: readonly Entry[],
  serverOf: (entry: Entry) => Upstream,
): ReadonlyMap<Upstream, readonly Entry[]> {
  const groups = new Map<Upstream, Entry[]>();
  for (const entry of entries) {
    const server = serverOf(entry);
    const group = groups.get(server);
    if (group === undefined) groups.set(server, [entry]);
    else group.push(entry);
  }
  return groups;
}
