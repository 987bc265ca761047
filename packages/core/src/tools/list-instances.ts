import { listSchema, objectSchema, TEXT_SCHEMA, tool } from './context/tool.js';
import { connectionsOf, instanceIdOf, runningInstances } from './instance-connections.js';

const INSTANCE_SCHEMA = objectSchema(
  {
    instance_id: TEXT_SCHEMA,
    name: TEXT_SCHEMA,
    pid: { type: 'integer' },
    started: TEXT_SCHEMA,
    root: { type: 'string', description: 'The folder it works in' },
    config: TEXT_SCHEMA,
    connected_as: { type: 'string', description: 'Name of the connection, if there is one' },
  },
  ['instance_id', 'name', 'pid', 'started', 'root'],
);

/** Lists the other mcpmux instances on this machine. */
export const listInstances = tool(
  {
    name: 'list_instances',
    title: 'List other instances of mcpmux',
    description: 'Lists other mcpmux instances of this user that run on this machine.',
    outputSchema: objectSchema({ instances: listSchema(INSTANCE_SCHEMA) }, ['instances']),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {},
  async (_, context) => {
    const otherInstances = await runningInstances(context);
    const connections = connectionsOf(context);
    const instances = otherInstances.map(({ id, name, pid, started, root, config }) => {
      const connection = connections.find((upstream) => instanceIdOf(upstream) === id);
      return { instance_id: id, name, pid, started, root, config, connected_as: connection?.name };
    });
    return JSON.stringify({ instances });
  },
);
