import { delimiter } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

/** Passes the configs of every mcpmux above a server to that server, which reads them if it is an mcpmux itself. */
const CHAIN_VARIABLE = 'MCPMUX_CONFIG_CHAIN';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * True if an mcpmux above this one already serves the config. Serving it again here would start processes endlessly.
 */
export function isServedAbove(file: string, environment: Environment): boolean {
  return `${delimiter}${chainIn(environment)}${delimiter}`.includes(`${delimiter}${file}${delimiter}`);
}

/** Returns the variable for a config's servers. It prevents an mcpmux among them from serving the config again. */
export function chainVariable(file: string, environment: Environment): Readonly<Record<string, string>> {
  const above = chainIn(environment);
  return { [CHAIN_VARIABLE]: above === '' ? file : `${above}${delimiter}${file}` };
}

/** Adds variables to the environment of a server. A server at a URL has no environment. */
export function withVariables(
  config: ServerConfig,
  variables: Readonly<Record<string, string>>,
): ServerConfig {
  return config.url === undefined ? { ...config, env: { ...config.env, ...variables } } : config;
}

function chainIn(environment: Environment): string {
  return environment[CHAIN_VARIABLE] ?? '';
}
