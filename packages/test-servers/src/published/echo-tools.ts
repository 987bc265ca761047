import { setTimeout as delay } from 'node:timers/promises';

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** Returns a tool result with one text block. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** Registers `echo` and `slow_echo`, the tools of both echo servers. */
export function registerEchoTools(server: McpServer): void {
  server.registerTool(
    'echo',
    { description: 'Returns the message.', inputSchema: { message: z.string() } },
    ({ message }) => textResult(message),
  );
  server.registerTool(
    'slow_echo',
    {
      description: 'Returns the message after delay_ms milliseconds.',
      inputSchema: { message: z.string(), delay_ms: z.number().int().min(0) },
    },
    async ({ message, delay_ms: delayMs }, { signal }) => {
      await delay(delayMs, undefined, { signal });
      return textResult(message);
    },
  );
}
