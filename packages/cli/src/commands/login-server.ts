import { ExitCode } from '../exit-code.js';
import type { CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import type { ConfigFlags } from './config-choice.js';
import { loadServers, problemsOf, requireServer } from './load-servers.js';

/** A server that a person can log in to. */
export interface LoginServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Finds a server of the config that is at a url, and has no credentials of its own.
 *
 * @throws CommandError SERVER_NOT_FOUND, NO_LOGIN
 */
export function loginServer(context: CommandContext, name: string, flags: ConfigFlags): LoginServer {
  const { config } = loadServers(context, flags);
  requireServer(config, name);
  const server = config.servers.find((candidate) => candidate.name === name);
  if (server?.status !== 'ready')
    throw noLogin(name, `is ${server?.status ?? 'not there'}`, problemsOf(config, name));
  const { config: wanted } = server;
  if (wanted.url === undefined) throw noLogin(name, 'is a program');
  const { url, headers = {}, login } = wanted;
  if (login !== true) throw noLogin(name, 'has credentials in the config');
  return { url: new URL(url).href.split('#', 1).join(''), headers };
}

function noLogin(name: string, why: string, details: readonly string[] = []): CommandError {
  return new CommandError({
    code: 'NO_LOGIN',
    exitCode: ExitCode.Usage,
    message: `nobody can log in to ${name}: it ${why}.`,
    details,
    next: `mcpmux get ${name}`,
  });
}
