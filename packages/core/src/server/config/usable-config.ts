import { isRecord, messageOf } from '@mcpmux/kit';
import { remoteEndpoint } from '@mcpmux/remote';
import { settingsProblem } from '@mcpmux/sandbox';
import type { ServerConfig, UnusableConfig } from './server-config.js';

/** The problem reported for a configuration that is not an object. */
export const CONFIG_NOT_AN_OBJECT = 'the configuration must be an object.';

/** Returns the configuration, or its problem if it is invalid. Checks all types, because hosts read it from files. */
export function configOrProblem(config: ServerConfig | UnusableConfig): ServerConfig | UnusableConfig {
  const problem = configProblem(config);
  return problem === undefined ? config : { problem };
}

/** Returns the problem that prevents the start, or undefined. The text never contains values from the configuration. */
export function configProblem(config: unknown): string | undefined {
  if (!isRecord(config)) return CONFIG_NOT_AN_OBJECT;
  const { command, url, problem } = config;
  if (isString(problem)) return undefined;
  if (command === undefined && url === undefined)
    return 'the configuration has neither "command" (a program to run) nor "url" (where a server is).';
  return url === undefined ? programProblem(config) : remoteProblem(config);
}

type Settings = Readonly<Record<string, unknown>>;

function programProblem({ command, args, env, cwd, sandbox }: Settings): string | undefined {
  if (typeof command !== 'string' || command === '') return '"command" must be a string that is not empty.';
  if (args !== undefined && !(Array.isArray(args) && args.every(isString)))
    return '"args" must be an array of strings.';
  if (env !== undefined && !isStringRecord(env)) return '"env" must be an object whose values are strings.';
  const sandboxProblem = sandbox === undefined ? undefined : settingsProblem(sandbox);
  if (sandboxProblem !== undefined) return `"sandbox" ${sandboxProblem}.`;
  return cwd === undefined || isString(cwd) ? undefined : '"cwd" must be a string.';
}

function remoteProblem({ url, headers = {}, transport, protocol }: Settings): string | undefined {
  if (!isString(url)) return '"url" must be a string.';
  if (!isStringRecord(headers)) return '"headers" must be an object whose values are strings.';
  const era = eraProblem({ transport, protocol });
  if (era !== undefined) return era;
  try {
    remoteEndpoint(url, headers);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns a problem if the transport does not support the era; otherwise undefined. */
export function eraProblem({ transport, protocol }: Settings): string | undefined {
  if (transport !== 'sse' || protocol !== 'modern') return undefined;
  return 'protocol: modern cannot be given with the SSE transport, which is of 2024-11-05; leave one of the two out.';
}

function isStringRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(isString);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
