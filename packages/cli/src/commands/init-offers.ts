import { ClientFileError, CLIENTS, clientServers, isInstalled, type Client } from '@mcpmux/clients';

import { printNote, type CommandContext } from '../terminal/command-context.js';
import { existingFiles } from './client-sources.js';
import { isOwnEntry } from './registered-client.js';

type NamedClient = Pick<Client, 'id' | 'title'>;

/** The questions to a person who has just created a config, and the actions after a yes. */
export interface Offers {
  /** Clients that have servers. */
  readonly withServers: readonly NamedClient[];
  /** Clients that do not have mcpmux. */
  readonly withoutMcpmux: readonly NamedClient[];
  readonly ask: (question: string, isDefault: boolean) => Promise<boolean>;
  /** Copies the servers into the config; with `moves`, mcpmux takes their place. False when nothing was taken. */
  readonly takeServers: (clients: readonly string[], moves: boolean) => Promise<boolean>;
  /** Shows the changes to files of clients, and asks before it writes them. False when nothing was written. */
  readonly register: (clients: readonly string[]) => Promise<boolean>;
}

/** The offers that a person has accepted. */
export interface Accepted {
  readonly hasServers: boolean;
  readonly isRegistered: boolean;
}

/** Asks one question after the other. A no changes nothing. */
export async function makeOffers(offers: Offers): Promise<Accepted> {
  const { withServers, ask } = offers;
  const ids = withServers.map(({ id }) => id);
  const whose = `the servers of ${listed(withServers)}`;
  const moves = ids.length > 0 && (await ask(`Move ${whose} into mcpmux? ${MOVES}`, true));
  const isMoved = moves && (await offers.takeServers(ids, true));
  const copies = ids.length > 0 && !isMoved && (await ask(`Copy ${whose} into the config? ${COPIES}`, false));
  const isCopied = copies && (await offers.takeServers(ids, false));
  const left = offers.withoutMcpmux.filter(({ id }) => !isMoved || !ids.includes(id));
  const question = `Register mcpmux in ${listed(left)}? You see the changes first.`;
  const isRegistered =
    left.length > 0 && (await ask(question, true)) && (await offers.register(left.map(({ id }) => id)));
  return { hasServers: isMoved || isCopied, isRegistered: isMoved || isRegistered };
}

const MOVES = 'It runs them for all clients. You see the changes first.';
const COPIES = 'The clients keep theirs.';

/** The clients on this computer, by the offers that apply to them. */
export async function offeredClients(
  context: CommandContext,
): Promise<Pick<Offers, 'withServers' | 'withoutMcpmux'>> {
  const withServers: NamedClient[] = [];
  const withoutMcpmux: NamedClient[] = [];
  for (const client of CLIENTS) {
    const found = await foundIn(context, client);
    if (found === undefined) continue;
    if (found.includes('other')) withServers.push(client);
    if (isInstalled(client, context) && !found.includes('mcpmux')) withoutMcpmux.push(client);
  }
  return { withServers, withoutMcpmux };
}

/** The kinds of servers of a client. Undefined when a file cannot be read, after telling the person. */
async function foundIn(
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

function listed(clients: readonly NamedClient[]): string {
  return clients.map(({ title }) => title).join(', ');
}
