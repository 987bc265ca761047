import { maskArgs, maskText } from '../process/mask-secrets.js';
import { Redactor } from '../process/redactor.js';
import { isSecretName } from '../process/secret-name.js';
import { shownUrl } from '../remote/shown-url.js';
import { secretsOfConfig } from './config-secrets.js';
import { isRemote, type ServerConfig } from './server-config.js';

/** Shorter values of inherited variables are words such as `enabled`, which stand in arguments as well. */
const MIN_INHERITED_LENGTH = 8;

/** The command of a server as a reader may see it: in lists, logs, errors, questions. */
export interface ShownCommand {
  /** The program; for a server at a url, the url. */
  readonly command: string;
  readonly args: readonly string[];
  /** Where a server is that is no program. */
  readonly url?: string;
  /** What was taken out because it looks like a secret. */
  readonly secrets: readonly string[];
}

/**
 * Takes the secrets out of a command: what looks like one, the values of the server's `env`, and those of secret
 * variables of mcpmux itself, which a config file may have put into arguments.
 */
export function shownCommand(config: ServerConfig, inherited: NodeJS.ProcessEnv): ShownCommand {
  const redactor = new Redactor([...secretsOfConfig(config), ...inheritedSecrets(inherited)]);
  if (isRemote(config)) {
    const url = redactor.redact(shownUrl(config.url));
    return { command: url, args: [], url, secrets: [] };
  }
  const masked = maskArgs((config.args ?? []).map((arg) => redactor.redact(arg)));
  return { command: maskText(redactor.redact(config.command)), args: masked.args, secrets: masked.secrets };
}

function inheritedSecrets(inherited: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_INHERITED_LENGTH && isSecretName(name) ? [value] : [],
  );
}
