import { delimiter } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

/** Lists the config files of every mcpmux above a server, in case the server is itself an mcpmux. */
const CHAIN_VARIABLE = 'MCPMUX_CONFIG_CHAIN';

type Environment = Readonly<Record<string, string | undefined>>;

/** True if an mcpmux above this process already serves the config. Serving it again would start processes endlessly. */
export function isServedAbove(file: string, environment: Environment): boolean {
  return `${delimiter}${chainIn(environment)}${delimiter}`.includes(`${delimiter}${file}${delimiter}`);
}

/** Returns the environment variable that keeps an mcpmux among a config's servers from serving the config again. */
export function chainVariable(file: string, environment: Environment): Readonly<Record<string, string>> {
  const above = chainIn(environment);
  return { [CHAIN_VARIABLE]: above === '' ? file : `${above}${delimiter}${file}` };
}

/** Adds variables to a server's environment. Returns the config of a remote server unchanged. */
export function withVariables(
  config: ServerConfig,
  variables: Readonly<Record<string, string>>,
): ServerConfig {
  return config.url === undefined ? { ...config, env: { ...config.env, ...variables } } : config;
}

function chainIn(environment: Environment): string {
  return environment[CHAIN_VARIABLE] ?? '';
}
