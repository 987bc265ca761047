import { ClientFileError, clientPath, clientServers, openClientFile, type Client } from '@mcpmux/clients';

import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { isOwnEntry } from './registered-client.js';

/** A client that has mcpmux, and the servers that the client itself runs. */
export interface WithOthers {
  readonly client: Client;
  readonly servers: readonly string[];
}

/** Returns the clients with mcpmux that run servers themselves, according to the user's file. */
export async function otherServers(
  context: CommandContext,
  clients: readonly Client[],
): Promise<readonly WithOthers[]> {
  const found = await Promise.all(clients.map((client) => othersOf(context, client)));
  return found.flat();
}

async function othersOf(context: CommandContext, client: Client): Promise<readonly WithOthers[]> {
  const file = clientPath(client, 'user', context);
  if (file === undefined) return [];
  try {
    // The servers of a folder are not moved, because they belong to their folder.
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

/** Returns the question whether mcpmux runs these servers from now on. */
export function movesQuestion(found: readonly WithOthers[]): string {
  const list = found.map(({ client, servers }) => `${servers.join(', ')} of ${client.title}`);
  return `Move ${list.join(', and ')} into mcpmux, which runs them for all clients?`;
}

/** Reports servers that a client runs itself, and how to make mcpmux run them instead. */
export function reportTwice(context: CommandContext, found: readonly WithOthers[]): void {
  for (const { client, servers } of found) {
    printNote(
      context,
      `${client.title} runs ${servers.join(', ')} itself, beside mcpmux. ` +
        `To move them into mcpmux: mcpmux import ${client.id} --takeover`,
    );
  }
}
