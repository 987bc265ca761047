import { ClientFileError, CLIENTS, clientServers, isInstalled, type Client } from '@mcpmux/clients';

import { printNote, type CommandContext } from '../terminal/command-context.js';
import { existingFiles } from './client-sources.js';
import { isOwnEntry } from '../edit/clients/registered-client.js';

type NamedClient = Pick<Client, 'id' | 'title'>;

/** The offers that `mcpmux init` makes after it has created a config, and the functions that carry them out. */
export interface Offers {
  /** The clients that have servers other than mcpmux. */
  readonly withServers: readonly NamedClient[];
  /** The installed clients in which mcpmux is not registered. */
  readonly withoutMcpmux: readonly NamedClient[];
  readonly ask: (question: string, isDefault: boolean) => Promise<boolean>;
  /**
   * Copies the clients' servers into the config. With `moves`, also replaces them with mcpmux in the clients' files.
   * Resolves to false if the user refuses.
   */
  readonly copyServers: (clients: readonly string[], moves: boolean) => Promise<boolean>;
  /** Registers mcpmux in the clients once the user has confirmed the changes. Resolves to false if the user refuses. */
  readonly register: (clients: readonly string[]) => Promise<boolean>;
}

/** The offers that a person has accepted. */
export interface AcceptedOffers {
  readonly hasServers: boolean;
  readonly isRegistered: boolean;
}

/** Asks the user about each offer in turn, and carries out the accepted offers. */
export async function makeOffers(offers: Offers): Promise<AcceptedOffers> {
  const { withServers, ask } = offers;
  const ids = withServers.map(({ id }) => id);
  const servers = `the servers of ${clientTitles(withServers)}`;
  const moves = ids.length > 0 && (await ask(`Move ${servers} into mcpmux? ${MOVE_EXPLANATION}`, true));
  const isMoved = moves && (await offers.copyServers(ids, true));
  const copies =
    ids.length > 0 && !isMoved && (await ask(`Copy ${servers} into the config? ${COPY_EXPLANATION}`, false));
  const isCopied = copies && (await offers.copyServers(ids, false));
  const others = offers.withoutMcpmux.filter(({ id }) => !isMoved || !ids.includes(id));
  const question = `Register mcpmux in ${clientTitles(others)}? You see the changes first.`;
  const isRegistered =
    others.length > 0 && (await ask(question, true)) && (await offers.register(others.map(({ id }) => id)));
  return { hasServers: isMoved || isCopied, isRegistered: isMoved || isRegistered };
}

const MOVE_EXPLANATION = 'It runs them for all clients. You see the changes first.';
const COPY_EXPLANATION = 'The clients keep theirs.';

/** Returns the clients on this computer, grouped by the offers that apply to them. */
export async function offeredClients(
  context: CommandContext,
): Promise<Pick<Offers, 'withServers' | 'withoutMcpmux'>> {
  const withServers: NamedClient[] = [];
  const withoutMcpmux: NamedClient[] = [];
  for (const client of CLIENTS) {
    const kinds = await serverKinds(context, client);
    if (kinds === undefined) continue;
    if (kinds.includes('other')) withServers.push(client);
    if (isInstalled(client, context) && !kinds.includes('mcpmux')) withoutMcpmux.push(client);
  }
  return { withServers, withoutMcpmux };
}

/** Classifies the servers in a client's files. If a file cannot be read, prints the error and returns undefined. */
async function serverKinds(
  context: CommandContext,
  client: Client,
): Promise<readonly ('mcpmux' | 'other')[] | undefined> {
  try {
    const servers = await Promise.all(
      existingFiles(context, client).map((source) => clientServers(source, context)),
    );
    return servers.flat().map(({ entry }) => (isOwnEntry(client, entry) ? 'mcpmux' : 'other'));
  } catch (error) {
    if (!(error instanceof ClientFileError)) throw error;
    printNote(context, error.message);
    return undefined;
  }
}

function clientTitles(clients: readonly NamedClient[]): string {
  return clients.map(({ title }) => title).join(', ');
}
