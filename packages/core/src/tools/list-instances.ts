import { listOf, objectOf, TEXT, tool } from './context/tool.js';
import { connectionsOf, instanceOf, runningInstances } from './instance-connections.js';

const INSTANCE = objectOf(
  {
    instance_id: TEXT,
    name: TEXT,
    pid: { type: 'integer' },
    started: TEXT,
    root: { type: 'string', description: 'The folder it works in' },
    config: TEXT,
    connected_as: { type: 'string', description: 'Name of the connection, if there is one' },
  },
  ['instance_id', 'name', 'pid', 'started', 'root'],
);

/** Lists the other instances on this machine. */
export const listInstances = tool(
  {
    name: 'list_instances',
    title: 'List other instances of mcpmux',
    description: 'Lists other mcpmux instances of this user that run on this machine.',
    outputSchema: objectOf({ instances: listOf(INSTANCE) }, ['instances']),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {},
  async (_, context) => {
    const running = await runningInstances(context);
    const connections = connectionsOf(context);
    const instances = running.map(({ id, name, pid, started, root, config }) => {
      const connection = connections.find((upstream) => instanceOf(upstream) === id);
      return { instance_id: id, name, pid, started, root, config, connected_as: connection?.name };
    });
    return JSON.stringify({ instances });
  },
);
