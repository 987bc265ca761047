import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';

import { ASKING_TOOLS } from './asking-tools.js';
import { LIST_BY_TRIGGER_TOOL, type GrowingList, type GrowingLists } from './growing-lists.js';
import { askAllQuestions } from './ask-all.js';
import { text } from './samples.js';
import { TOOLS, X_HEADER_TOOL } from './tools.js';

const listByToolName: ReadonlyMap<string, GrowingList> = new Map(Object.entries(LIST_BY_TRIGGER_TOOL));

/** Registers the tools of the conformance scenarios for revisions with sessions. */
export function registerTools(server: Server, lists: GrowingLists): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      ...[TOOLS, ASKING_TOOLS, LIST_BY_TRIGGER_TOOL]
        .flatMap((tools) => Object.keys(tools))
        .concat(lists.addedNames('tools'))
        .map((name) => ({ name, description: name, inputSchema: { type: 'object' as const } })),
      { ...X_HEADER_TOOL, description: X_HEADER_TOOL.name },
    ],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest }) => {
    const { name, arguments: args = {} } = params;
    const askingTool = ASKING_TOOLS[name];
    // If the client responds to a question with an error, the server responds to the call with the same error.
    if (askingTool !== undefined)
      return { content: [text(await askAllQuestions(askingTool, args, server, sendRequest))] };
    if (name === X_HEADER_TOOL.name) return { content: [text(`region=${String(args['region'])}`)] };
    const list = listByToolName.get(name);
    if (list === undefined) return runTool(server, name, args, params['_meta']?.progressToken);
    lists.addEntry(list);
    await server.notification({ method: `notifications/${list}/list_changed` });
    return { content: [text(`the ${list} have changed`)] };
  });
}

async function runTool(
  server: Server,
  name: string,
  args: Readonly<Record<string, unknown>>,
  progressToken: string | number | undefined,
) {
  const tool = TOOLS[name];
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `no tool ${name}`);
  try {
    const content = await tool({
      args,
      progressToken,
      notify: (method, given) => server.notification({ method, params: given }),
    });
    return { content: [...content] };
  } catch (error) {
    return { content: [text(String(error))], isError: true };
  }
}
