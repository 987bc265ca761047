import { delimiter } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

/** Tells a mcpmux that runs as a server which configs are served above it. */
const VARIABLE = 'MCPMUX_CONFIG_CHAIN';

type Environment = Readonly<Record<string, string | undefined>>;

/** True when a mcpmux above this one serves the config already: serving it here again would never end. */
export function isServedAbove(file: string, environment: Environment): boolean {
  return `${delimiter}${chain(environment)}${delimiter}`.includes(`${delimiter}${file}${delimiter}`);
}

/** The variable for the servers of a config, so that a server that is a mcpmux does not serve the config again. */
export function chainVariable(file: string, environment: Environment): Readonly<Record<string, string>> {
  const above = chain(environment);
  return { [VARIABLE]: above === '' ? file : `${above}${delimiter}${file}` };
}

/** The server with variables added to its environment. A server at a url has no environment. */
export function withVariables(
  config: ServerConfig,
  variables: Readonly<Record<string, string>>,
): ServerConfig {
  return config.url === undefined ? { ...config, env: { ...config.env, ...variables } } : config;
}

function chain(environment: Environment): string {
  return environment[VARIABLE] ?? '';
}
