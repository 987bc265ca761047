import { isStreams } from '../server/config/server-config.js';
import type { Upstream } from '../server/upstream.js';
import type { Instance, InstanceDirectory } from './context/instances.js';
import type { ToolContext } from './context/tool-context.js';
import { InvalidArguments } from './context/tool.js';
import { requireInstanceAccess } from './policy/connection-gate.js';

/** The maximum length of an instance's id, in characters. */
export const MAX_ID_LENGTH = 100;
const ADDRESS_PREFIX = 'mcpmux:';

/**
 * Returns the directory of other instances.
 * @throws InvalidArguments if the host has no directory
 */
export function requireInstanceDirectory({ instances }: Pick<ToolContext, 'instances'>): InstanceDirectory {
  if (instances === undefined) throw new InvalidArguments('this mux knows no other instances');
  return instances;
}

/**
 * Returns the other instances that are currently running.
 *
 * @throws MuxError REFUSED if the policy forbids it
 */
export async function runningInstances(context: ToolContext): Promise<readonly Instance[]> {
  const instances = requireInstanceDirectory(context);
  requireInstanceAccess(context.addPolicy);
  return instances.list(context.client.session);
}

/** Returns the calling session's connections. Each connection is a server in that session's own registry. */
export function connectionsOf({ registry }: ToolContext): readonly Upstream[] {
  return registry.registeredServers().filter((upstream) => instanceIdOf(upstream) !== undefined);
}

/** Returns the address that identifies an instance in the config of a connection to it. */
export function addressOf({ id }: Instance): string {
  return `${ADDRESS_PREFIX}${id}`;
}

/** Returns the connected instance's id, or undefined if the server is not a connection to an instance. */
export function instanceIdOf({ config }: Upstream): string | undefined {
  return isStreams(config) && config.address.startsWith(ADDRESS_PREFIX)
    ? config.address.slice(ADDRESS_PREFIX.length)
    : undefined;
}
