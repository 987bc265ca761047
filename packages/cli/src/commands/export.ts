import { documentEditor, withValue, type Client, type JsonObject } from '@mcpmux/clients';

import { ExitCode } from '../base/exit-code.js';
import { printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { chooseClients } from './choose-clients.js';
import { configServers, configTextOf, configToRead, type ConfigFlags } from '../config/config-choice.js';
import { namedEntry } from '../config/named-server.js';

/** Prints the servers of the config or of a profile, or only the named servers, in a client's format. */
export const exportServers: Action<ConfigFlags & { readonly client?: string }> = async (
  context,
  names,
  flags,
) => {
  const location = configToRead(context, flags);
  if (location === undefined) {
    throw new CommandError('CONFIG_NOT_FOUND', 'there is no config file here.', {
      next: 'create one with: mcpmux init',
    });
  }
  const { reading, valueOf } = configServers(location, configTextOf(location));
  const selectedEntries =
    names.length === 0
      ? reading.entries.filter(
          ({ name }) => flags.profile === undefined || isIn(reading.profiles, flags.profile, name),
        )
      : names.map((name) => namedEntry(reading.entries, name, location.file));
  const servers = selectedEntries.map(({ path }) => [String(path.at(-1)), valueOf(path)] as const);
  const { document, format } = documentFor(context, servers, flags.client);
  const outputFormat = context.flags.json === true ? 'json' : format;
  context.streams.data((await documentEditor(outputFormat)).render(document));
  return ExitCode.Ok;
};

/**
 * True if a profile contains the server.
 *
 * @throws CommandError PROFILE_NOT_FOUND
 */
function isIn(profiles: Readonly<Record<string, readonly string[]>>, profile: string, name: string): boolean {
  if (Object.hasOwn(profiles, profile)) return profiles[profile]?.includes(name) === true;
  throw new CommandError('PROFILE_NOT_FOUND', `the config has no profile "${profile}".`, {
    exitCode: ExitCode.NotFound,
    next: 'mcpmux config get profiles',
  });
}

function documentFor(
  context: CommandContext,
  servers: readonly (readonly [string, JsonObject])[],
  clientName: string | undefined,
): { readonly document: JsonObject; readonly format: Client['format'] } {
  if (clientName === undefined)
    return { document: { mcpServers: Object.fromEntries(servers) }, format: 'json' };
  const [client] = chooseClients([clientName]);
  if (client === undefined) throw new TypeError('a named client is chosen or refused');
  const entries = servers.map(([name, entry]) => {
    const exportedServer = client.dialect.fromMux(entry);
    for (const note of exportedServer.notes) printNote(context, `${name}: ${note}`);
    return [name, exportedServer.entry] as const;
  });
  return { document: withValue({}, client.key, Object.fromEntries(entries)), format: client.format };
}
