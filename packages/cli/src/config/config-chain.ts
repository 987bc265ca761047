import { delimiter } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

/** Tells a mcpmux that is itself a server which configs are being served above it. */
const VARIABLE = 'MCPMUX_CONFIG_CHAIN';

type Environment = Readonly<Record<string, string | undefined>>;

/** True when a mcpmux above this one serves the config already: serving it here again would never end. */
export function isServedAbove(file: string, environment: Environment): boolean {
  return `${delimiter}${chain(environment)}${delimiter}`.includes(`${delimiter}${file}${delimiter}`);
}

/** What the servers of a config are given, so that one that is a mcpmux itself notices. */
export function chainVariable(file: string, environment: Environment): Readonly<Record<string, string>> {
  const above = chain(environment);
  return { [VARIABLE]: above === '' ? file : `${above}${delimiter}${file}` };
}

/** The server with variables added to its environment; one at a url has none. */
export function withVariables(
  config: ServerConfig,
  variables: Readonly<Record<string, string>>,
): ServerConfig {
  return config.url === undefined ? { ...config, env: { ...config.env, ...variables } } : config;
}

function chain(environment: Environment): string {
  return environment[VARIABLE] ?? '';
}
