import { writeFileSync } from 'node:fs';

import {
  CLIENTS,
  clientPath,
  clientServers,
  openClientFile,
  withEntry,
  type ClientId,
  type ClientPlaces,
} from '@mcpmux/clients';

/** Registers a server in a client, and returns the names of the servers that the client had before. */
export async function register(id: ClientId, places: ClientPlaces): Promise<readonly string[]> {
  const client = CLIENTS.find((candidate) => candidate.id === id);
  const path = client && clientPath(client, 'user', places);
  if (client === undefined || path === undefined) throw new Error(`${id} has no file here`);
  const file = openClientFile(client, 'user', path);
  const names = (await clientServers(file, places)).map(({ name }) => name);
  const { entry } = client.dialect.fromMux({ command: 'npx', args: ['-y', 'my-server'] });
  writeFileSync(path, await withEntry(file, [...client.key, 'mine'], entry)); // every comment stays
  return names;
}
