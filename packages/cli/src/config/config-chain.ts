import { delimiter } from 'node:path';

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

function chain(environment: Environment): string {
  return environment[VARIABLE] ?? '';
}
