import { filled, InvalidArguments, tool } from './context/tool.js';

/** Calls any tool by its name. */
export const callTool = tool({
  definition: {
    name: 'call_tool',
    title: 'Call a tool by name',
    description:
      'Calls a tool of any server, for when your own list of tools does not show it yet. ' +
      'The result is that of the tool.',
    inputSchema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          minLength: 1,
          description: '{server}__{tool}, as add_server or search_tools gave it',
        },
        arguments: { type: 'object', description: 'Arguments of that tool' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  input: (z) => z.strictObject({ name: filled(z), arguments: z.optional(z.record(z.string(), z.unknown())) }),
  // A session replaces such a call by a call of the named tool, so none gets here.
  run() {
    throw new InvalidArguments('call_tool is for clients of mcpmux: call the tool itself');
  },
});
