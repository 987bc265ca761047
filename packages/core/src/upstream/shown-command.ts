import { secretsOf } from '../process/environment.js';
import { maskArgs } from '../process/mask-secrets.js';
import { Redactor } from '../process/redactor.js';
import { isSecretName } from '../process/secret-name.js';
import type { ServerConfig } from './server-config.js';

/** Shorter values of inherited variables are words such as `enabled`, which stand in arguments as well. */
const MIN_INHERITED_LENGTH = 8;

/** A value with one of these, or that could be a path, may be more than a secret: a program for a shell, say. */
const MORE_THAN_A_SECRET = /[\s$`;|&<>()]|^[./~\\]|^[A-Za-z]:[\\/]/;

/** The command of a server as a reader may see it: in lists, logs, errors, questions. */
export interface ShownCommand {
  /** The program, always whole: it is what decides what runs. */
  readonly command: string;
  readonly args: readonly string[];
  /** What was taken out of the arguments. */
  readonly secrets: readonly string[];
}

/**
 * Takes the secrets out of a command's arguments: what looks like one, the values of the server's `env`, and those of
 * secret variables of mcpmux itself, which a config file may have put there.
 */
export function shownCommand(config: ServerConfig, inherited: NodeJS.ProcessEnv): ShownCommand {
  return without([...secretsOf(config.env ?? {}), ...inheritedSecrets(inherited)], config);
}

/**
 * The same for a question to the user, from whom nothing may be hidden that decides what runs: of the values of `env`,
 * which whoever asks has chosen, only those of secret names that are nothing but a secret.
 */
export function askedCommand(config: ServerConfig, inherited: NodeJS.ProcessEnv): ShownCommand {
  const own = Object.entries(config.env ?? {}).flatMap(([name, value]) =>
    isSecretName(name) && !mayBeMore(value) ? [value] : [],
  );
  return without([...own, ...inheritedSecrets(inherited)], config);
}

/** Whether a hidden value may be more than a secret. */
export function mayBeMore(hidden: string): boolean {
  return MORE_THAN_A_SECRET.test(hidden);
}

function without(known: readonly string[], { command, args = [] }: ServerConfig): ShownCommand {
  const redactor = new Redactor(known);
  const masked = maskArgs(args.map((arg) => redactor.redact(arg)));
  const found = known.filter((secret) => secret !== '' && args.some((arg) => arg.includes(secret)));
  return { command, args: masked.args, secrets: [...found, ...masked.secrets] };
}

function inheritedSecrets(inherited: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_INHERITED_LENGTH && isSecretName(name) ? [value] : [],
  );
}
