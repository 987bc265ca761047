import type { Json } from './connection.js';
import type { ServerView } from '../src/data/overview-shown.js';

/** The entries of one server. */
export interface Group {
  readonly server: string;
  readonly entries: readonly Json[];
}

/** Returns the server of an entry by the entry's name. */
export type ServerOf = (name: string) => string;

/**
 * Returns a function that finds the server of an entry. It looks for a tool of a server first, then for a server name
 * at the beginning of the entry's name.
 */
export function serverOf(servers: readonly Pick<ServerView, 'name' | 'tools'>[], others: string): ServerOf {
  const byTool = new Map(servers.flatMap(({ name, tools }) => tools.map((tool) => [tool, name])));
  const names = new Set(servers.map(({ name }) => name));
  return (name) => byTool.get(name) ?? prefixIn(name, names) ?? others;
}

/** Returns the longest of these names that two underscores follow. */
function prefixIn(name: string, names: ReadonlySet<string>): string | undefined {
  for (let end = name.lastIndexOf('__'); end > 0; end = name.lastIndexOf('__', end - 1)) {
    const prefix = name.slice(0, end);
    if (names.has(prefix)) return prefix;
  }
  return undefined;
}

/** Returns the entries by server, in list order. */
export function grouped(
  entries: readonly Json[],
  nameOf: (entry: Json) => string,
  of: ServerOf,
): readonly Group[] {
  const groups = new Map<string, Json[]>();
  for (const entry of entries) {
    const server = of(nameOf(entry));
    const group = groups.get(server);
    if (group === undefined) groups.set(server, [entry]);
    else group.push(entry);
  }
  return [...groups].map(([server, all]) => ({ server, entries: all }));
}

/** Returns the groups that are initially open. Together they have at most as many entries as a page shows. */
export function openGroups(groups: readonly Group[], most: number): ReadonlySet<string> {
  const open = new Set<string>();
  let rows = 0;
  for (const { server, entries } of groups) {
    rows += entries.length;
    if (rows > most && open.size > 0) break;
    open.add(server);
  }
  return open;
}
