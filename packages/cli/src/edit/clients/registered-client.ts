import { clientServers, withEntry, type Client, type ClientFile } from '@mcpmux/clients';
import { OWN_NAME } from '@mcpmux/config/find';

import { isMcpmuxEntry, withOwnVersion } from '../../config/own-entry.js';
import type { CommandContext } from '../../terminal/command-context.js';
import type { ClientChange } from './client-change.js';
import { clientEntry, withVariables, type ClientEntryFlags } from './client-entry.js';

/** Returns the change that registers mcpmux in a client's file, or undefined if its entry is already up to date. */
export async function registrationChange(
  context: CommandContext,
  source: ClientFile,
  flags: ClientEntryFlags,
): Promise<ClientChange | undefined> {
  const { client } = source;
  const servers = await clientServers(source, context);
  const own = servers.find(({ entry }) => isOwnEntry(client, entry));
  const entry =
    own === undefined
      ? clientEntry(context, client, flags)
      : withVariables(context, client, withOwnVersion(own.entry), flags);
  if (entry === own?.entry) return undefined;
  return { source, newText: await withEntry(source, own?.path ?? [...client.key, OWN_NAME], entry) };
}

/** Returns the text of a client's file without its mcpmux entries. */
export async function withoutOwnEntries(context: CommandContext, source: ClientFile): Promise<string> {
  let { text } = source;
  for (const { path, entry } of await clientServers(source, context)) {
    if (isOwnEntry(source.client, entry)) text = await withEntry({ ...source, text }, path, undefined);
  }
  return text;
}

/** True if a client's entry runs mcpmux. */
export function isOwnEntry({ dialect }: Client, entry: Readonly<Record<string, unknown>>): boolean {
  const imported = dialect.toMux(entry);
  return imported.kind === 'server' && isMcpmuxEntry(imported.entry);
}
