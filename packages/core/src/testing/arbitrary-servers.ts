import { foldServerName, isServerName } from '@mcpmux/namespace';
import fc from 'fast-check';

import type { Connection } from '../server/link/connection.js';
import { StandInUpstream } from './stand-in-upstream.js';

/** A server by what the catalog knows of it. */
export interface ArbitraryServer {
  readonly name: string;
  readonly tools: readonly string[];
}

// pieces that make names overlap: with each other, with the separator, with what names are fitted to
const PIECES = ['_', '__', 'a', 'b', 'A', '-', '1', ' ', '.', '日', 'é', '/', '\u{1F600}', 'add_server'];

const anyName = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.stringMatching(/^[a-z_]{0,80}$/),
  fc.constantFrom('constructor', '__proto__', 'toString', 'list_servers', '\ud800'),
);

const serverName = anyName.filter(isServerName);

/** Servers whose names no registry would refuse, with tools of any name. */
export const arbitraryServers: fc.Arbitrary<readonly ArbitraryServer[]> = fc.uniqueArray(
  fc.record({ name: serverName, tools: fc.uniqueArray(anyName, { maxLength: 5 }) }),
  { selector: ({ name }) => foldServerName(name), maxLength: 5 },
);

/** The servers, running. Tools of servers that have the same name become those of one. */
export function standInsOf(
  servers: readonly ArbitraryServer[],
  connection?: Connection,
): readonly StandInUpstream[] {
  const tools = new Map<string, Set<string>>();
  for (const server of servers) {
    const known = tools.get(server.name) ?? new Set();
    for (const tool of server.tools) known.add(tool);
    tools.set(server.name, known);
  }
  return [...tools].map(([name, locals]) => standIn(name, [...locals], connection));
}

function standIn(name: string, tools: readonly string[], connection?: Connection): StandInUpstream {
  return new StandInUpstream(name, { tools, ...(connection && { connection }) });
}
