import type { ProcessConfig, RemoteConfig, ServerConfig } from '../server/config/server-config.js';
import { eraProblem } from '../server/config/usable-config.js';
import { invalidArguments, type InvalidArguments } from './context/tool.js';

/** The arguments of `add_server` that describe how to start or reach a server. */
type AddInput = Partial<Omit<ProcessConfig, 'url'> & Pick<RemoteConfig, 'url' | 'headers' | 'transport'>>;

/**
 * Returns the config that the arguments of `add_server` describe.
 *
 * @throws InvalidArguments
 */
export function addedConfig({ command, url, ...input }: AddInput): ServerConfig {
  if (command !== undefined) {
    if (url !== undefined) throw problem('url: cannot be given with command');
    const { headers, transport, ...config } = input;
    requireNone({ headers, transport }, 'command');
    return { command, ...config };
  }
  if (url === undefined)
    throw problem('command: is missing; give command (a program to run) or url (where a server is)');
  const { args, env, cwd, inheritEnv, ...config } = input;
  requireNone({ args, env, cwd, inheritEnv }, 'url');
  const era = eraProblem(config);
  if (era !== undefined) throw problem(era);
  return { url, ...config };
}

function requireNone(foreign: object, kind: string): void {
  const given = Object.entries(foreign).filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  throw problem(`${given.map(([name]) => name).join(', ')}: cannot be given with ${kind}`);
}

function problem(text: string): InvalidArguments {
  return invalidArguments('add_server', text);
}
