import { ClientFileError, clientPath, clientServers, openClientFile, type Client } from '@mcpmux/clients';

import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { isOwnEntry } from './registered-client.js';

/** A client in which mcpmux is registered, with the other servers that the client still runs itself. */
export interface ClientServers {
  readonly client: Client;
  readonly servers: readonly string[];
}

/** Finds the clients that have mcpmux registered but still run other servers. Reads only each client's user file. */
export async function clientsRunningServers(
  context: CommandContext,
  clients: readonly Client[],
): Promise<readonly ClientServers[]> {
  const results = await Promise.all(clients.map((client) => findOtherServers(context, client)));
  return results.flat();
}

async function findOtherServers(context: CommandContext, client: Client): Promise<readonly ClientServers[]> {
  const file = clientPath(client, 'user', context);
  if (file === undefined) return [];
  try {
    // mcpmux does not offer to move servers that belong to one folder.
    const servers = (await clientServers(openClientFile(client, 'user', file), context)).filter(
      ({ folder }) => folder === undefined,
    );
    const others = servers.filter(({ entry }) => !isOwnEntry(client, entry)).map(({ name }) => name);
    return others.length > 0 && others.length < servers.length ? [{ client, servers: others }] : [];
  } catch (error) {
    if (error instanceof ClientFileError) return [];
    throw error;
  }
}

/** Returns the question that offers to move these servers into mcpmux. */
export function moveQuestion(results: readonly ClientServers[]): string {
  const list = results.map(({ client, servers }) => `${servers.join(', ')} of ${client.title}`);
  return `Move ${list.join(', and ')} into mcpmux, which runs them for all clients?`;
}

/** Prints which servers each client runs itself, with the command that moves them into mcpmux. */
export function reportOtherServers(context: CommandContext, results: readonly ClientServers[]): void {
  for (const { client, servers } of results) {
    printNote(
      context,
      `${client.title} runs ${servers.join(', ')} itself, beside mcpmux. ` +
        `To move them into mcpmux: mcpmux import ${client.id} --takeover`,
    );
  }
}
