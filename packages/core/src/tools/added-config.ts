import { isRemote, type ServerConfig } from '../upstream/config/server-config.js';
import type { OwnToolInput } from './input-schemas.js';
import { givenSettings } from './server-settings.js';

type AddInput = OwnToolInput<'add_server'>;

/** The server that the arguments of `add_server` are about, or what is wrong with them. */
export function addedConfig(
  input: AddInput,
): { readonly config: ServerConfig } | { readonly problem: string } {
  const { command, url } = input;
  if (command !== undefined && url !== undefined) return problem('url: cannot be given with command');
  if (command !== undefined) return ofOneKind(input, processConfig(command, input));
  if (url !== undefined) return ofOneKind(input, remoteConfig(url, input));
  return problem('command: is missing; give command (a program to run) or url (where a server is)');
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
): { readonly config: ServerConfig } | { readonly problem: string } {
  const foreign = Object.entries(isRemote(config) ? { args, env, cwd, inheritEnv } : { headers, transport })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (foreign.length === 0) return { config };
  return problem(`${foreign.join(', ')}: cannot be given with ${isRemote(config) ? 'url' : 'command'}`);
}

function problem(text: string): { readonly problem: string } {
  return { problem: `Invalid arguments for add_server: ${text}` };
}
