import { NO_ARGUMENTS, tool } from './context/tool.js';
import { connectionsOf, instanceOf, runningInstances } from './instance-connections.js';

/** Lists the other instances of this machine. */
export const listInstances = tool({
  definition: {
    name: 'list_instances',
    title: 'List other instances of mcpmux',
    description: 'Lists other mcpmux instances of this user that run on this machine.',
    inputSchema: NO_ARGUMENTS,
    outputSchema: {
      type: 'object',
      properties: {
        instances: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              instance_id: { type: 'string' },
              name: { type: 'string' },
              pid: { type: 'integer' },
              started: { type: 'string' },
              root: { type: 'string', description: 'The folder it works in' },
              config: { type: 'string' },
              connected_as: { type: 'string', description: 'Name of the connection, if there is one' },
            },
            required: ['instance_id', 'name', 'pid', 'started', 'root'],
          },
        },
      },
      required: ['instances'],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  input: (z) => z.strictObject({}),
  async run(_, context) {
    const found = await runningInstances(context);
    const connections = connectionsOf(context);
    const instances = found.map(({ id, name, pid, started, root, config }) => {
      const connection = connections.find((upstream) => instanceOf(upstream) === id);
      return { instance_id: id, name, pid, started, root, config, connected_as: connection?.name };
    });
    return JSON.stringify({ instances });
  },
});
