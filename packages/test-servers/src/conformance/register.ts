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

import { ASKING_PROMPT, ASKING_PROMPT_NAME } from './asking-tools.js';
import { listPrompts, PROMPTS } from './prompts.js';
import { askAllQuestions } from './ask-all.js';
import { resourceContents, text, RESOURCE_URIS } from './samples.js';

/**
 * Registers handlers that list and return the prompts. Completions are always empty.
 *
 * @param further - returns the names of additional prompts
 */
export function registerPrompts(server: Server, further: () => readonly string[]): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [
      ...listPrompts(),
      ...[ASKING_PROMPT_NAME, ...further()].map((name) => ({ name, description: name })),
    ],
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }, { sendRequest }) => {
    if (params.name === ASKING_PROMPT_NAME) {
      const promptText = await askAllQuestions(ASKING_PROMPT, {}, server, sendRequest);
      return { messages: [{ role: 'user', content: text(promptText) }] };
    }
    const prompt = PROMPTS[params.name];
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `no prompt ${params.name}`);
    const contents = prompt.renderContents(params.arguments ?? {});
    return { messages: contents.map((content) => ({ role: 'user', content })) };
  });
  server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

/** Registers handlers that list and read the resources, which never change. */
export function registerResources(server: Server): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: RESOURCE_URIS.map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const content = resourceContents(uri);
    if (content === undefined) throw new McpError(ErrorCode.InvalidParams, 'no such resource', { uri });
    return { contents: [content] };
  });
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
}
