import { secretsOf } from '../process/environment.js';
import { maskArgs, maskText } from '../process/mask-secrets.js';
import { Redactor } from '../process/redactor.js';
import { isSecretName } from '../process/secret-name.js';
import type { ServerConfig } from './server-config.js';

/** Shorter values of inherited variables are words such as `enabled`, which stand in arguments as well. */
const MIN_INHERITED_LENGTH = 8;

/** The command of a server as a reader may see it: in lists, logs, errors, questions. */
export interface ShownCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** What was taken out because it looks like a secret. */
  readonly secrets: readonly string[];
}

/**
 * Takes the secrets out of a command: what looks like one, the values of the server's `env`, and those of secret
 * variables of mcpmux itself, which a config file may have put into arguments.
 */
export function shownCommand(
  { command, args = [], env = {} }: ServerConfig,
  inherited: NodeJS.ProcessEnv,
): ShownCommand {
  const redactor = new Redactor([...secretsOf(env), ...inheritedSecrets(inherited)]);
  const masked = maskArgs(args.map((arg) => redactor.redact(arg)));
  return { command: maskText(redactor.redact(command)), args: masked.args, secrets: masked.secrets };
}

function inheritedSecrets(inherited: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_INHERITED_LENGTH && isSecretName(name) ? [value] : [],
  );
}
