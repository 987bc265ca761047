import { MuxError } from '@mcpmux/kit';
import { isServerName } from '@mcpmux/namespace';
import type { Registry } from '../server/registry/registry.js';
import type { StreamConfig } from '../server/config/server-config.js';
import type { Instance } from './context/instances.js';
import type { ToolContext } from './context/tool-context.js';
import { optional, text } from './context/fields.js';
import { tool } from './context/tool.js';
import {
  addressOf,
  connectionsOf,
  instanceIdOf,
  requireInstanceDirectory,
  MAX_ID_LENGTH,
  runningInstances,
} from './instance-connections.js';
import { requireConnectionApproval } from './policy/connection-gate.js';
import { answerWhenAdded, SERVER_TOOLS_SCHEMA, serverToolsJson } from './server-tools.js';

const LOST_CONNECTION_ADVICE =
  'If that instance has ended, call disconnect_instance. Then call list_instances, and connect_instance for another one.';

const NO_SESSION =
  'A connection to another instance belongs to a session, and this request has none. Connect over stdio, or by a ' +
  'revision with sessions, and call connect_instance there.';

/** Adds another instance as a server that only this session can use, or returns the existing connection. */
export const connectInstance = tool(
  {
    name: 'connect_instance',
    title: 'Connect to another instance of mcpmux',
    description: 'Adds the tools of another mcpmux, named {name}__{tool}, for this session only.',
    outputSchema: SERVER_TOOLS_SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    changesLists: true,
  },
  {
    instance_id: text('From list_instances', MAX_ID_LENGTH),
    name: optional(text('Name of the connection; chosen by mcpmux when absent')),
  },
  async ({ instance_id: id, name }, context) => {
    const { registry, addPolicy, client, signal } = context;
    if (!client.isPersistent) throw new MuxError('REFUSED', NO_SESSION);
    const instance = await requireRunningInstance(id, context);
    await requireConnectionApproval(addPolicy, instance, context);
    // A server added for a session that has already ended would never be removed.
    if (signal.aborted) throw new MuxError('CANCELLED', `Connecting to ${id} was cancelled.`);
    const by = { rule: addPolicy.mode, session: client.session };
    const existingConnection = connectionsOf(context).find((upstream) => instanceIdOf(upstream) === id);
    if (existingConnection?.state.kind === 'running') return serverToolsJson(existingConnection, context);
    // Replaces a lost connection under the same name.
    if (existingConnection !== undefined) void registry.remove(existingConnection.name, by);
    checkConnectionCount(context);
    const serverName =
      name ?? existingConnection?.name ?? connectionName(instance.name, (one) => isNameInUse(registry, one));
    const addition = registry.add(serverName, connectionConfig(instance, context), {
      by,
      sees: client.view.sees,
      // The instance's own tools can be called but are not listed, because clients have the same tools of this mux.
      view: { shown: (one) => (context.isOwnTool(one) ? { isHidden: true } : undefined) },
    });
    return answerWhenAdded(addition, context);
  },
);

async function requireRunningInstance(id: string, context: ToolContext): Promise<Instance> {
  const instances = await runningInstances(context);
  const instance = instances.find((one) => one.id === id);
  if (instance !== undefined) return instance;
  const hint =
    instances.length === 0 ? 'No other runs' : `Running: ${instances.map((one) => one.id).join(', ')}`;
  const message = `No instance with the id ${JSON.stringify(id)} runs. ${hint}. Call list_instances for details.`;
  throw new MuxError('INSTANCE_NOT_FOUND', message);
}

function checkConnectionCount(context: ToolContext): void {
  const { maxInstancesPerClient } = context.limits;
  if (connectionsOf(context).length < maxInstancesPerClient) return;
  throw new MuxError(
    'REFUSED',
    `This session is connected to ${maxInstancesPerClient} instances, which is the limit. Call disconnect_instance for one of them first.`,
  );
}

function connectionConfig(instance: Instance, context: ToolContext): StreamConfig {
  const { limits } = context;
  const instances = requireInstanceDirectory(context);
  return {
    address: addressOf(instance),
    open: () => instances.open(instance),
    advice: LOST_CONNECTION_ADVICE,
    startTimeoutMs: limits.instanceStartTimeoutMs,
    callTimeoutMs: limits.instanceCallTimeoutMs,
    addedByAgent: true,
    // An instance answers pings even if its servers hang, so missing answers mean that the instance itself hangs.
    health: { intervalMs: limits.instancePingMs, timeoutMs: limits.instancePingMs, failures: 2 },
  };
}

function isNameInUse(registry: Registry, name: string): boolean {
  try {
    registry.checkName(name);
    return false;
  } catch (error) {
    if (error instanceof MuxError && error.code === 'SERVER_EXISTS') return true;
    throw error;
  }
}

/** The maximum length of a base name, in characters. It leaves room for a suffix and for the names of tools. */
const MAX_BASE_NAME_LENGTH = 24;

/** Returns an unused name for a connection, based on the valid characters of the instance's name. */
export function connectionName(instance: string, isUsed: (name: string) => boolean): string {
  const cleanName = instance
    .replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
    .slice(0, MAX_BASE_NAME_LENGTH)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const base = isServerName(cleanName) ? cleanName : 'instance';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!isUsed(name)) return name;
  }
}
