import { readdirSync, readFileSync } from 'node:fs';

import { CLIENTS } from '../client-list.js';
import type { Client, ClientPlaces } from '../client.js';

/** A file of a client, written after its public documentation. */
export interface ClientFixture {
  readonly client: Client;
  readonly text: string;
}

const FOLDER = new URL('../../../fixtures/clients/', import.meta.url);

/** One file of every client. */
export const CLIENT_FIXTURES: readonly ClientFixture[] = readdirSync(FOLDER).map((name) => {
  const client = CLIENTS.find(({ id }) => name.startsWith(`${id}.`));
  if (client === undefined) throw new TypeError(`${name} is of no client`);
  return { client, text: readFileSync(new URL(name, FOLDER), 'utf8') };
});

/** Where the clients of a person are that no test has. */
export const PLACES: ClientPlaces = {
  home: '/home/ann',
  cwd: '/home/ann/app',
  platform: 'linux',
  environment: {},
};
