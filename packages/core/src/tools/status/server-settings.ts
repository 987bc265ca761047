import type { ProcessConfig, ServerConfig } from '../../upstream/config/server-config.js';

/** What of a server's configuration concerns neither its command nor its secrets. */
export type ServerSettings = Pick<
  ServerConfig,
  'startTimeoutMs' | 'restart' | 'callTimeoutMs' | 'isolation'
> &
  Pick<ProcessConfig, 'inheritEnv'>;

type Loose<Settings> = { readonly [Key in keyof Settings]: Settings[Key] | undefined };

/** Those that were given. */
export function givenSettings({
  inheritEnv,
  startTimeoutMs,
  restart,
  callTimeoutMs,
  isolation,
}: Loose<ServerSettings>): ServerSettings {
  return {
    ...(inheritEnv !== undefined && { inheritEnv }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(restart !== undefined && { restart }),
    ...(callTimeoutMs !== undefined && { callTimeoutMs }),
    ...(isolation !== undefined && { isolation }),
  };
}
