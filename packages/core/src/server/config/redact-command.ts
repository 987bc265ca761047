import { askedUrl, isSecretName, maskArgs, Redactor, redactUrl } from '@mcpmux/kit';
import { secretsOfConfig } from './config-secrets.js';
import {
  isRemote,
  isStreams,
  isUnusable,
  type AnyServerConfig,
  type ProcessConfig,
  type ServerConfig,
} from './server-config.js';

/** Shorter values of inherited variables are words such as `enabled`, which stand in arguments as well. */
const MIN_INHERITED_LENGTH = 8;

/**
 * The values that are nothing but a secret: of these characters, no path and no drive. With any other character a value may
 * be a program, in some language or for some shell.
 */
const ONLY_A_SECRET = /^(?![./~]|[A-Za-z]:\/)[\w.~+/=:@,-]*$/;

/** The command of a server as a reader may see it: in lists, logs, errors, questions. */
export interface RedactedCommand {
  /** The program, always whole: it is what decides what runs. For a server at a url, the url. */
  readonly command: string;
  readonly args: readonly string[];
  /** In a question: each variable of `env` with its value, since a variable may decide what runs. */
  readonly variables?: readonly string[];
  /** Where a server is that is no program. Its host is always whole. */
  readonly url?: string;
  /** The secrets that were removed from the arguments or, in a question, from the url. */
  readonly secrets: readonly string[];
}

/**
 * Takes the secrets out of a command's arguments: what looks like one, the values of the server's `env`, and those of
 * secret variables of mcpmux itself, which a config file may have put there.
 */
export function redactCommand(config: AnyServerConfig, inherited: NodeJS.ProcessEnv): RedactedCommand {
  if (isStreams(config)) return atUrl(config.address);
  if (isUnusable(config)) return { command: '', args: [], secrets: [] };
  const known = inheritedSecrets(inherited);
  if (!isRemote(config)) return without([...secretsOfConfig(config), ...known], config);
  return atUrl(redactUrl(config.url, (text) => new Redactor(known).redact(text)));
}

/**
 * The same for a question to the user, from whom nothing may be hidden that decides what runs: of the values of `env`,
 * which whoever asks has chosen, only those of secret names that are nothing but a secret, and such members of an
 * object in JSON.
 */
export function askedCommand(config: ServerConfig, inherited: NodeJS.ProcessEnv): RedactedCommand {
  const known = inheritedSecrets(inherited);
  if (isRemote(config)) {
    const { url, secrets } = askedUrl(config.url, (text) => new Redactor(known).redact(text));
    return atUrl(url, secrets);
  }
  const own = Object.entries(config.env ?? {}).flatMap(([name, value]) => {
    const found = isSecretName(name) ? [value] : secretsOfJson(value);
    return found.filter((secret) => !mayBeMore(secret));
  });
  const secrets = [...own, ...known];
  return { ...without(secrets, config), variables: assignments(config.env ?? {}, secrets) };
}

/** Headers and passwords that a program takes as an object in one variable. Other text may be for a shell. */
function secretsOfJson(value: string): readonly string[] {
  if (!value.trimStart().startsWith('{')) return [];
  try {
    JSON.parse(value);
  } catch {
    return [];
  }
  return maskArgs([value]).secrets;
}

function assignments(env: Readonly<Record<string, string>>, secrets: readonly string[]): readonly string[] {
  const redactor = new Redactor(secrets);
  return Object.entries(env).map(([name, value]) => `${name}=${redactor.redact(value)}`);
}

/** True if a hidden value may contain more than a secret. */
export function mayBeMore(hidden: string): boolean {
  return !ONLY_A_SECRET.test(hidden);
}

function without(known: readonly string[], { command, args = [] }: ProcessConfig): RedactedCommand {
  const redactor = new Redactor(known);
  const masked = maskArgs(args.map((arg) => redactor.redact(arg)));
  const found = known.filter((secret) => secret !== '' && args.some((arg) => arg.includes(secret)));
  return { command, args: masked.args, secrets: [...found, ...masked.secrets] };
}

function atUrl(url: string, secrets: readonly string[] = []): RedactedCommand {
  return { command: url, args: [], url, secrets };
}

function inheritedSecrets(inherited: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_INHERITED_LENGTH && isSecretName(name) ? [value] : [],
  );
}
