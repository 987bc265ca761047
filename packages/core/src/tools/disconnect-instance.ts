import { MuxError } from '@mcpmux/kit';
import type { Upstream } from '../server/upstream.js';
import { optional, text } from './context/fields.js';
import { objectOf, TEXT, tool } from './context/tool.js';
import { connectionsOf, instanceOf, MAX_ID_LENGTH } from './instance-connections.js';

/** Ends the connection to the given instance, or the only connection. */
export const disconnectInstance = tool(
  {
    name: 'disconnect_instance',
    title: 'Disconnect from another instance of mcpmux',
    description: 'Ends a connection of connect_instance and removes its tools.',
    outputSchema: objectOf({ name: TEXT, instance_id: TEXT, disconnected: { type: 'boolean' } }, [
      'name',
      'instance_id',
      'disconnected',
    ]),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    changesLists: true,
  },
  { instance_id: optional(text('May be absent when there is only one connection', MAX_ID_LENGTH)) },
  async ({ instance_id: id }, context) => {
    const { registry, client } = context;
    const connections = connectionsOf(context);
    const matching = connections.filter(
      (one) => id === undefined || instanceOf(one) === id || one.name === id,
    );
    const [connection] = matching;
    if (connection === undefined || matching.length > 1) throw notConnected(id, connections);
    const by = { rule: 'host', session: client.session };
    await registry.remove(connection.name, by);
    const { name } = connection;
    return JSON.stringify({ name, instance_id: instanceOf(connection) ?? '', disconnected: true });
  },
);

function notConnected(id: string | undefined, connections: readonly Upstream[]): MuxError {
  const connected = connections.map((one) => `${instanceOf(one) ?? ''} (${one.name})`).join(', ');
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
