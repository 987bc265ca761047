import type { LoadedConfig } from '@mcpmux/config';

import type { CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import type { ConfigFlags } from '../config/config-choice.js';
import { loadServers, serverErrors, requireServer } from './load-servers.js';

/**
 * Finds a remote server that mcpmux can log in to, which excludes a server with credentials in the config.
 *
 * @throws CommandError SERVER_NOT_FOUND, NO_LOGIN
 */
export function findServerForLogin(
  context: CommandContext,
  name: string,
  flags: ConfigFlags,
  action: 'log in to' | 'log out of' = 'log in to',
): {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly config: LoadedConfig;
} {
  const { config } = loadServers(context, flags);
  requireServer(config, name);
  const server = config.servers.find((candidate) => candidate.name === name);
  if (server?.status !== 'ready')
    throw noLoginError(
      `${action} ${name}: it is ${server?.status ?? 'unknown'}`,
      name,
      serverErrors(config, name),
    );
  const { config: serverConfig } = server;
  if (serverConfig.url === undefined) throw noLoginError(`${action} ${name}: the server is a program`, name);
  const { url, headers = {}, login } = serverConfig;
  if (login !== true)
    throw noLoginError(`${action} ${name}: the config has its credentials, or an agent added it`, name);
  return { url: new URL(url).href.split('#', 1).join(''), headers, config };
}

function noLoginError(what: string, name: string, details: readonly string[] = []): CommandError {
  return new CommandError('NO_LOGIN', `mcpmux cannot ${what}.`, { details, next: `mcpmux get ${name}` });
}
