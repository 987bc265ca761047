import {
  isRemote,
  type ProcessConfig,
  type RemoteConfig,
  type ServerConfig,
} from '../upstream/config/server-config.js';
import { InvalidArguments } from './context/tool.js';
import { givenSettings } from './status/server-settings.js';

/** The arguments of `add_server` that say how a server is started or reached. */
type AddInput = Loose<Omit<ProcessConfig, 'command' | 'url'>> &
  Loose<Pick<RemoteConfig, 'headers' | 'transport'>> & {
    readonly command?: string | undefined;
    readonly url?: string | undefined;
  };

type Loose<Type> = { readonly [Key in keyof Type]?: Type[Key] | undefined };

/**
 * The server that the arguments of `add_server` describe.
 *
 * @throws InvalidArguments
 */
export function addedConfig(input: AddInput): ServerConfig {
  const { command, url } = input;
  if (command !== undefined && url !== undefined) throw problem('url: cannot be given with command');
  if (command !== undefined) return ofOneKind(input, processConfig(command, input));
  if (url !== undefined) return ofOneKind(input, remoteConfig(url, input));
  throw problem('command: is missing; give command (a program to run) or url (where a server is)');
}

function processConfig(command: string, input: AddInput): ServerConfig {
  const { args, env, cwd } = input;
  return {
    command,
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    ...givenSettings(input),
  };
}

function remoteConfig(url: string, input: AddInput): ServerConfig {
  const { headers, transport, startTimeoutMs, restart, callTimeoutMs } = input;
  return {
    url,
    ...(headers && { headers }),
    ...(transport && { transport }),
    ...givenSettings({ startTimeoutMs, restart, callTimeoutMs, inheritEnv: undefined }),
  };
}

function ofOneKind(
  { args, env, cwd, inheritEnv, headers, transport }: AddInput,
  config: ServerConfig,
): ServerConfig {
  const foreign = Object.entries(isRemote(config) ? { args, env, cwd, inheritEnv } : { headers, transport })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (foreign.length === 0) return config;
  throw problem(`${foreign.join(', ')}: cannot be given with ${isRemote(config) ? 'url' : 'command'}`);
}

function problem(text: string): InvalidArguments {
  return new InvalidArguments(`Invalid arguments for add_server: ${text}`);
}
