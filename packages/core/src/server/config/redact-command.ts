import { askedUrl, isSecretName, maskArgs, Redactor, redactUrl, parsedJson } from '@mcpmux/kit';
import { configSecrets } from './config-secrets.js';
import {
  isRemote,
  isStreams,
  isUnusable,
  type AnyServerConfig,
  type ProcessConfig,
  type ServerConfig,
} from './server-config.js';

/** Minimum length of a redacted inherited value. Shorter ones may be words, such as `enabled`, in arguments. */
const MIN_INHERITED_SECRET_LENGTH = 8;

/**
 * Matches a value that can only be a secret, because it is neither a path nor a drive and has only characters that are
 * common in secrets. A value with other characters may be code for a shell or an interpreter.
 */
const SECRET_ONLY_VALUE = /^(?![./~]|[A-Za-z]:\/)[\w.~+/=:@,-]*$/;

/** A server's command, as it appears in lists, logs, errors and questions. */
export interface RedactedCommand {
  /** The program, never redacted, because it determines what runs. For a server at a URL, the URL. */
  readonly command: string;
  readonly args: readonly string[];
  /** In a question: each variable of `env` with its value, because a variable may determine what runs. */
  readonly variables?: readonly string[];
  /** The location of a server that is not a program. Its host name is never redacted. */
  readonly url?: string;
  /** The secrets that were removed from the arguments or, in a question, from the URL. */
  readonly secrets: readonly string[];
}

/**
 * Removes the secrets from the arguments of a command: text that looks like a secret, the values of the server's `env`,
 * and the values of mcpmux's own secret variables, which a config file may have inserted.
 */
export function redactCommand(config: AnyServerConfig, inherited: NodeJS.ProcessEnv): RedactedCommand {
  if (isStreams(config)) return urlCommand(config.address);
  if (isUnusable(config)) return { command: '', args: [], secrets: [] };
  const known = inheritedSecrets(inherited);
  if (!isRemote(config)) return redactProgram([...configSecrets(config), ...known], config);
  return urlCommand(redactUrl(config.url, (text) => new Redactor(known).redact(text)));
}

/**
 * Removes the secrets from a command that a question to the user contains. The question must show everything that
 * determines what runs. Since the client itself has chosen the values of `env`, mcpmux hides a value (or a member of a
 * JSON object) only if its name suggests a secret and it can only be a secret.
 */
export function commandForQuestion(config: ServerConfig, inherited: NodeJS.ProcessEnv): RedactedCommand {
  const known = inheritedSecrets(inherited);
  if (isRemote(config)) {
    const { url, secrets } = askedUrl(config.url, (text) => new Redactor(known).redact(text));
    return urlCommand(url, secrets);
  }
  const own = Object.entries(config.env ?? {}).flatMap(([name, value]) => {
    const candidates = isSecretName(name) ? [value] : secretsOfJson(value);
    return candidates.filter((secret) => !mayContainCode(secret));
  });
  const secrets = [...own, ...known];
  return { ...redactProgram(secrets, config), variables: assignments(config.env ?? {}, secrets) };
}

/**
 * Returns the secrets in a value that is a JSON object, because some programs read headers and passwords from a
 * variable with such a value. Other text may be code for a shell.
 */
function secretsOfJson(value: string): readonly string[] {
  if (!value.trimStart().startsWith('{') || parsedJson(value) === undefined) return [];
  return maskArgs([value]).secrets;
}

function assignments(env: Readonly<Record<string, string>>, secrets: readonly string[]): readonly string[] {
  const redactor = new Redactor(secrets);
  return Object.entries(env).map(([name, value]) => `${name}=${redactor.redact(value)}`);
}

/** True if a value to hide may contain more than a secret. */
export function mayContainCode(hidden: string): boolean {
  return !SECRET_ONLY_VALUE.test(hidden);
}

function redactProgram(known: readonly string[], { command, args = [] }: ProcessConfig): RedactedCommand {
  const redactor = new Redactor(known);
  const masked = maskArgs(args.map((arg) => redactor.redact(arg)));
  const found = known.filter((secret) => secret !== '' && args.some((arg) => arg.includes(secret)));
  return { command, args: masked.args, secrets: [...found, ...masked.secrets] };
}

function urlCommand(url: string, secrets: readonly string[] = []): RedactedCommand {
  return { command: url, args: [], url, secrets };
}

function inheritedSecrets(inherited: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_INHERITED_SECRET_LENGTH && isSecretName(name) ? [value] : [],
  );
}
