import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { PROMPTS } from './prompts.js';
import { contentOf } from './samples.js';

const URIS = ['test://static-text', 'test://static-binary', 'test://watched-resource'];

/** Lists and gives the prompts; completes none of their arguments. */
export function registerPrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(PROMPTS).map(([name, { arguments: names }]) => ({
      name,
      description: name,
      arguments: names.map((argument) => ({ name: argument, required: true })),
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = PROMPTS[params.name];
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `no prompt ${params.name}`);
    const contents = prompt.contents(params.arguments ?? {});
    return { messages: contents.map((content) => ({ role: 'user', content })) };
  });
  server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

/** Lists and reads the resources; they never change. */
export function registerResources(server: Server): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: URIS.map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const content = contentOf(uri);
    if (content === undefined) throw new McpError(ErrorCode.InvalidParams, 'no such resource', { uri });
    return { contents: [content] };
  });
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
}
