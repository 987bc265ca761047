import { CLIENTS, type Client } from '@mcpmux/clients';
import { didYouMean } from '@mcpmux/config/find';

import { CommandError } from '../terminal/command-error.js';

/**
 * Returns the clients with these names, or all clients if no name is given.
 *
 * @throws CommandError CLIENT_NOT_FOUND with a suggestion
 */
export function chooseClients(names: readonly string[]): readonly Client[] {
  return names.length === 0 ? CLIENTS : names.map(chooseClient);
}

function chooseClient(name: string): Client {
  const client = CLIENTS.find(({ id }) => id === name);
  if (client !== undefined) return client;
  const ids = CLIENTS.map(({ id }) => id);
  throw new CommandError('CLIENT_NOT_FOUND', `mcpmux supports no client "${name}".${didYouMean(name, ids)}`, {
    next: `the clients are: ${ids.join(', ')}`,
  });
}
