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

/** Shorter inherited values are not redacted, because they may be ordinary words in arguments, such as `enabled`. */
const MIN_INHERITED_SECRET_LENGTH = 8;

/**
 * Matches a value that is safe to hide: it does not start like a path or a drive, and contains only characters that are
 * common in secrets. Other values may contain code for a shell or an interpreter.
 */
const SECRET_ONLY_VALUE = /^(?![./~]|[A-Za-z]:\/)[\w.~+/=:@,-]*$/;

/** A server's command, as it appears in lists, logs, errors and questions. */
export interface RedactedCommand {
  /** The program, never redacted, because it determines what runs. For a server at a URL, the URL. */
  readonly command: string;
  readonly args: readonly string[];
  /** Only in a question: the variables of `env` as `NAME=value`, because a variable may determine what runs. */
  readonly variables?: readonly string[];
  /** The location of a server that is not a local program. Its host name is never redacted. */
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
 * Removes the secrets from a command that is displayed to the user for approval. The user must see everything that
 * determines what runs. Since the requesting client chose the values in `env`, mcpmux hides such a value (or a member
 * of a JSON object) only if its name suggests a secret and the value is unlikely to contain code.
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
 * Returns the secrets in a JSON object, because some programs read headers and passwords from a variable that contains
 * one. Returns none for other text, which may be code for a shell.
 */
function secretsOfJson(value: string): readonly string[] {
  if (!value.trimStart().startsWith('{') || parsedJson(value) === undefined) return [];
  return maskArgs([value]).secrets;
}

function assignments(env: Readonly<Record<string, string>>, secrets: readonly string[]): readonly string[] {
  const redactor = new Redactor(secrets);
  return Object.entries(env).map(([name, value]) => `${name}=${redactor.redact(value)}`);
}

/** True if a value that would be hidden may contain code, which a user must see before approval. */
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
