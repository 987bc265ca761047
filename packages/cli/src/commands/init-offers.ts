import { ClientFileError, CLIENTS, clientServers, isInstalled, type Client } from '@mcpmux/clients';

import { ExitCode } from '../base/exit-code.js';
import { tell, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { confirm } from '../terminal/confirm.js';
import { existingFiles } from './client-sources.js';
import { isOwnEntry } from './install.js';

type NamedClient = Pick<Client, 'id' | 'title'>;

/** What somebody who has just made a config is asked, and what follows from a yes. */
export interface Offers {
  /** Clients that have servers. */
  readonly withServers: readonly NamedClient[];
  /** Clients that do not have mcpmux. */
  readonly withoutMcpmux: readonly NamedClient[];
  readonly ask: (question: string) => Promise<boolean>;
  readonly takeServers: (clients: readonly string[]) => Promise<unknown>;
  /** Shows what would change in files of clients, and asks before it writes them. */
  readonly register: (clients: readonly string[]) => Promise<unknown>;
}

/** Asks what is to be done next, one thing after the other. A no leaves everything as it is. */
export async function makeOffers(offers: Offers): Promise<void> {
  const { withServers, withoutMcpmux, ask } = offers;
  if (withServers.length > 0 && (await ask(`Take the servers of ${listed(withServers)} into it?`)))
    await offers.takeServers(withServers.map(({ id }) => id));
  if (
    withoutMcpmux.length > 0 &&
    (await ask(`Register mcpmux in ${listed(withoutMcpmux)}? You see first what changes there.`))
  )
    await offers.register(withoutMcpmux.map(({ id }) => id));
}

/** Whether somebody says yes. */
export async function accepts(context: CommandContext, question: string): Promise<boolean> {
  return unlessRefused(() => confirm(context, question));
}

/**
 * Whether it was done: a no to what it asks is no failure of what was done before.
 *
 * @throws what it throws otherwise, also for Ctrl-C
 */
export async function unlessRefused(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.failure.exitCode === ExitCode.Refused) return false;
    throw error;
  }
}

/** The clients of this computer, by what can be offered. */
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

/** What its servers are; undefined for a file that cannot be read, of which the person is told. */
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
    tell(context, error.message);
    return undefined;
  }
}

function listed(clients: readonly NamedClient[]): string {
  return clients.map(({ title }) => title).join(', ');
}
