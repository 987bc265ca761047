import { optional, text } from './context/fields.js';
import { InvalidArguments, tool } from './context/tool.js';

/** Calls any tool by its name. */
export const callTool = tool(
  {
    name: 'call_tool',
    title: 'Call a tool by name',
    description:
      'Calls a tool of any server, for when your own list of tools does not show it yet. ' +
      'Returns the result of that tool.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: text('{server}__{tool}, as add_server or search_tools gave it'),
    arguments: optional({
      json: { type: 'object', description: 'Arguments of that tool' },
      check: (z) => z.record(z.string(), z.unknown()),
    }),
  },
  // A session replaces such a call by a call of the named tool, so this function is not reached.
  () => {
    throw new InvalidArguments('call_tool is for clients of mcpmux: call the tool itself');
  },
);
