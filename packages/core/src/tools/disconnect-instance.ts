import { MuxError } from '@mcpmux/kit';
import type { Upstream } from '../server/upstream.js';
import { optional, text } from './context/fields.js';
import { objectSchema, TEXT_SCHEMA, tool } from './context/tool.js';
import { connectionsOf, instanceIdOf, MAX_ID_LENGTH } from './instance-connections.js';

/** Ends the connection to the given instance or, if none is given, the only connection. */
export const disconnectInstance = tool(
  {
    name: 'disconnect_instance',
    title: 'Disconnect from another instance of mcpmux',
    description: 'Ends a connection of connect_instance and removes its tools.',
    outputSchema: objectSchema(
      { name: TEXT_SCHEMA, instance_id: TEXT_SCHEMA, disconnected: { type: 'boolean' } },
      ['name', 'instance_id', 'disconnected'],
    ),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    changesLists: true,
  },
  { instance_id: optional(text('May be absent when there is only one connection', MAX_ID_LENGTH)) },
  async ({ instance_id: id }, context) => {
    const { registry, client } = context;
    const connections = connectionsOf(context);
    const matchingConnections = connections.filter(
      (one) => id === undefined || instanceIdOf(one) === id || one.name === id,
    );
    const [connection] = matchingConnections;
    if (connection === undefined || matchingConnections.length > 1) throw notConnectedError(id, connections);
    const by = { rule: 'host', session: client.session };
    await registry.remove(connection.name, by);
    const { name } = connection;
    return JSON.stringify({ name, instance_id: instanceIdOf(connection) ?? '', disconnected: true });
  },
);

function notConnectedError(id: string | undefined, connections: readonly Upstream[]): MuxError {
  const connected = connections.map((one) => `${instanceIdOf(one) ?? ''} (${one.name})`).join(', ');
  const problem =
    id === undefined
      ? 'This session has several connections. Give the instance_id of one.'
      : `There is no connection to ${JSON.stringify(id)}.`;
  const message =
    connections.length === 0
      ? 'This session is connected to no instance. Call list_instances, then connect_instance.'
      : `${problem} Connected: ${connected}.`;
  return new MuxError('INSTANCE_NOT_FOUND', message);
}
