import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';

import { type Logger, type Mux, nullLogger, type ServerStatus } from '@mcpmux/core';
import { guardsOf } from '@mcpmux/core/guards';

import { ConfigCodeMode } from './config-code-mode.js';
import { exposureOf } from './exposure-settings.js';
import { formatProblem } from './config-problem.js';
import { loadConfig } from './load-config.js';
import type { LoadedConfig, LoadedServer } from './loaded-config.js';
import { toolView } from './tool-view.js';

/** The error for an unusable config. The message has one line per problem, and never contains config values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Loads a config file, with this process's environment and working directory. Never throws: see `problems`. */
export function loadConfigFile(file: string): LoadedConfig {
  const cwd = process.cwd();
  const location = { file: resolve(file), origin: 'flag', folder: cwd } as const;
  return loadConfig(location, { environment: process.env, home: homedir(), cwd });
}

/**
 * Adds a config's guards, exposure, code mode and servers to a mux. Starts the servers in parallel, and resolves to
 * their statuses when each has started or failed. A failed server stays registered with the reason.
 *
 * @param logger receives the records of the guard `audit`
 * @throws ConfigError if the config is unusable, in which case nothing is added
 */
export async function applyConfig(
  mux: Pick<Mux, 'addServer' | 'approvals' | 'expose' | 'listServers' | 'use'>,
  { isUsable, problems, guards, exposure, codeMode, servers }: LoadedConfig,
  logger: Logger = nullLogger,
): Promise<readonly ServerStatus[]> {
  if (!isUsable) throw new ConfigError(problems.map(formatProblem).join('\n'));
  if (guards !== undefined) for (const guard of guardsOf(guards, logger, mux.approvals)) mux.use(guard);
  if (exposure !== undefined) mux.expose(exposureOf(exposure, {}));
  await new ConfigCodeMode(mux).apply(codeMode);
  await Promise.allSettled(servers.map((server) => addServer(mux, server)));
  const names = new Set(servers.map(({ name }) => name));
  return mux.listServers().filter(({ name }) => names.has(name));
}

async function addServer(mux: Pick<Mux, 'addServer'>, server: LoadedServer): Promise<unknown> {
  const { name, status } = server;
  if (status === 'disabled') return undefined;
  if (status === 'misconfigured')
    return mux.addServer(name, { problem: server.problem }, { keepsFailed: true });
  const { config, tools } = server;
  return mux.addServer(name, config, { keepsFailed: true, ...(tools && { tools: toolView(tools) }) });
}
