import { ClientFileError, CLIENTS, clientServers, isInstalled, type Client } from '@mcpmux/clients';

import { ExitCode } from '../base/exit-code.js';
import { tell, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { confirm } from '../terminal/confirm.js';
import { existingFiles } from './client-sources.js';
import { isOwnEntry } from './install.js';

type NamedClient = Pick<Client, 'id' | 'title'>;

/** The questions to a person who has just created a config, and the actions after a yes. */
export interface Offers {
  /** Clients that have servers. */
  readonly withServers: readonly NamedClient[];
  /** Clients that do not have mcpmux. */
  readonly withoutMcpmux: readonly NamedClient[];
  readonly ask: (question: string) => Promise<boolean>;
  readonly takeServers: (clients: readonly string[]) => Promise<unknown>;
  /** Shows the changes to files of clients, and asks before it writes them. */
  readonly register: (clients: readonly string[]) => Promise<unknown>;
}

/** Asks one question after the other. A no changes nothing. */
export async function makeOffers(offers: Offers): Promise<void> {
  const { withServers, withoutMcpmux, ask } = offers;
  if (withServers.length > 0 && (await ask(`Copy the servers of ${listed(withServers)} into the config?`)))
    await offers.takeServers(withServers.map(({ id }) => id));
  if (
    withoutMcpmux.length > 0 &&
    (await ask(`Register mcpmux in ${listed(withoutMcpmux)}? You see the changes first.`))
  )
    await offers.register(withoutMcpmux.map(({ id }) => id));
}

/** True when the person says yes. */
export async function accepts(context: CommandContext, question: string): Promise<boolean> {
  return unlessRefused(() => confirm(context, question));
}

/**
 * Runs `work`. False when the person refused it, which does not undo earlier work.
 *
 * @throws any other error of `work`, also that of Ctrl-C
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
    tell(context, error.message);
    return undefined;
  }
}

function listed(clients: readonly NamedClient[]): string {
  return clients.map(({ title }) => title).join(', ');
}
