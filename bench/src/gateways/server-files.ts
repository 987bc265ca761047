import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CommandLine } from '../managed-process.js';

type Dialect = (server: CommandLine, name: string) => object;

/** The entry of a server, by what the file is for. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  // As almost all clients and gateways read it.
  plain: ({ command, args }) => ({ command, args }),
  // Windows share the servers.
  mcpmux: ({ command, args }) => ({ command, args, mux: { shared: true } }),
  magg: ({ command, args }, name) => ({ source: 'file:///', prefix: name, command, args }),
};

/** Writes the file that tells a gateway its servers, and returns its path. */
export function writeServers(
  folder: string,
  dialect: string,
  servers: Readonly<Record<string, CommandLine>>,
): string {
  const entryOf = DIALECTS[dialect];
  if (entryOf === undefined)
    throw new Error(`there is no {config:${dialect}}, only ${Object.keys(DIALECTS).join(', ')}`);
  const entries = Object.entries(servers).map(([name, server]) => [name, entryOf(server, name)]);
  const key = dialect === 'magg' ? 'servers' : 'mcpServers';
  const file = join(folder, `${dialect}.json`);
  writeFileSync(file, JSON.stringify({ [key]: Object.fromEntries(entries) }, null, 2));
  return file;
}
