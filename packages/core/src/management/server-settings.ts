import type { ServerConfig } from '../upstream/server-config.js';
import type { OwnToolInput } from './input-schemas.js';

/** What of a server's configuration concerns neither its command nor its secrets. */
export type ServerSettings = Pick<
  ServerConfig,
  'inheritEnv' | 'startTimeoutMs' | 'restart' | 'callTimeoutMs'
>;

type Loose<Settings> = { readonly [Key in keyof Settings]: Settings[Key] | undefined };

/** Those that were given. */
export function givenSettings({
  inheritEnv,
  startTimeoutMs,
  restart,
  callTimeoutMs,
}: Loose<ServerSettings>): ServerSettings {
  return {
    ...(inheritEnv !== undefined && { inheritEnv }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(restart !== undefined && { restart }),
    ...(callTimeoutMs !== undefined && { callTimeoutMs }),
  };
}

/** The configuration that the arguments of `add_server` ask for. */
export function requestedConfig(input: OwnToolInput<'add_server'>): ServerConfig {
  const { command, args, env, cwd } = input;
  return {
    command,
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    ...givenSettings(input),
  };
}
