import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

import { registerEchoTools, textResult } from '../published/echo-tools.js';

/** State that all sessions of one {@link RemoteServer} share. */
export interface RemoteState {
  /** The URIs of all sessions' subscriptions. A repeated subscription adds its URI again. */
  readonly subscribed: string[];
  /** The number of `wait` calls that clients have cancelled. */
  cancelled: number;
}

/** Creates an MCP server whose tools trigger every kind of message over HTTP, in both directions. */
export function createToolServer(state: RemoteState): McpServer {
  const server = new McpServer(
    { name: 'remote', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true }, logging: {} } },
  );
  registerEchoTools(server);
  registerMessagingTools(server, state);
  server.registerResource('note', 'note://one', {}, ({ href }) => ({
    contents: [{ uri: href, text: 'one' }],
  }));
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    state.subscribed.push(params.uri);
    return {};
  });
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  return server;
}

function registerMessagingTools(server: McpServer, state: RemoteState): void {
  server.registerTool(
    'count',
    { description: 'Sends n progress notifications.', inputSchema: { n: z.number() } },
    async ({ n }, { sendNotification, _meta: meta }) => {
      const progressToken = meta?.progressToken ?? 0;
      for (let progress = 1; progress <= n; progress += 1)
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
      return textResult(String(n));
    },
  );
  server.registerTool('ask', { description: 'Asks the user for a name.' }, async ({ sendRequest }) => {
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    const params = { message: 'Your name?', requestedSchema };
    const answer = await sendRequest({ method: 'elicitation/create', params }, z.looseObject({}));
    return textResult(JSON.stringify(answer));
  });
  server.registerTool('wait', { description: 'Answers only after it was cancelled.' }, ({ signal }) => {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        state.cancelled += 1;
        resolve(textResult('cancelled'));
      });
    });
  });
  server.registerTool('add_tool', { description: 'Adds the tool `added`.' }, () => {
    server.registerTool('added', { description: 'Is new.' }, () => textResult('new'));
    return textResult('added');
  });
}
