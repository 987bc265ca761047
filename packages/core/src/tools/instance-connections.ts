import { isStreams } from '../server/config/server-config.js';
import type { Upstream } from '../server/upstream.js';
import type { Instance, InstanceDirectory } from './context/instances.js';
import type { ToolContext } from './context/tool-context.js';
import { InvalidArguments } from './context/tool.js';
import { requireInstances } from './policy/connection-gate.js';

/** Longest id of an instance, in characters. */
export const MAX_ID_LENGTH = 100;
const PREFIX = 'mcpmux:';

/** Finds the other instances. */
export function instancesOf({ instances }: Pick<ToolContext, 'instances'>): InstanceDirectory {
  if (instances === undefined) throw new InvalidArguments('this mux knows no other instances');
  return instances;
}

/**
 * The other instances that run now.
 *
 * @throws MuxError REFUSED by the policy
 */
export async function runningInstances(context: ToolContext): Promise<readonly Instance[]> {
  const instances = instancesOf(context);
  requireInstances(context.addPolicy);
  return instances.list(context.client.session);
}

/** The connections of the calling session. Each is a server in the registry of that session alone. */
export function connectionsOf({ registry }: ToolContext): readonly Upstream[] {
  return registry.registered().filter((upstream) => instanceOf(upstream) !== undefined);
}

/** The address by which a connection names its instance. */
export function addressOf({ id }: Instance): string {
  return `${PREFIX}${id}`;
}

/** The id of the instance that a server is the connection to; undefined for any other server. */
export function instanceOf({ config }: Upstream): string | undefined {
  return isStreams(config) && config.address.startsWith(PREFIX)
    ? config.address.slice(PREFIX.length)
    : undefined;
}
