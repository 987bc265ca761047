import { delimiter } from 'node:path';

/** Tells a mcpmux that is itself a server which configs are being served above it. */
const VARIABLE = 'MCPMUX_CONFIG_CHAIN';

type Environment = Readonly<Record<string, string | undefined>>;

/** True when a mcpmux above this one serves the config already: serving it here again would never end. */
export function isServedAbove(file: string, environment: Environment): boolean {
  return chain(environment).includes(file);
}

/** What the servers of a config are given, so that one that is a mcpmux itself notices. */
export function chainVariable(file: string, environment: Environment): Readonly<Record<string, string>> {
  return { [VARIABLE]: [...chain(environment), file].join(delimiter) };
}

function chain(environment: Environment): readonly string[] {
  return (environment[VARIABLE] ?? '').split(delimiter).filter((file) => file !== '');
}
