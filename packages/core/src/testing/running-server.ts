import type { ServerConfig } from '../server/config/server-config.js';
import { connected, type Connected } from './connected.js';
import { StandInUpstream } from './stand-in-upstream.js';

/** A server that runs, and its end of the connection. */
export interface RunningServer extends Connected {
  readonly upstream: StandInUpstream;
}

/** A running server with these tools, played by the test. */
export function runningServer(
  name: string,
  tools: readonly string[],
  limits: Parameters<typeof connected>[0] = {},
  config?: ServerConfig,
): RunningServer {
  const played = connected(limits);
  const { connection } = played;
  return { ...played, upstream: new StandInUpstream(name, { tools, connection, ...(config && { config }) }) };
}
