// A server of the MCP SDK inside the host, beside servers that are programs. No process and no port are needed.
// usage: node in-process.ts
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { createMux } from '@mcpmux/core';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

function calculator(): McpServer {
  const server = new McpServer({ name: 'calculator', version: '1.0.0' });
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  server.registerTool('add', { description: 'Adds two numbers.', inputSchema }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  return server;
}

await using mux = createMux();
await mux.addServer('calc', {
  // Called for each run: the server can be reloaded, and is started again by `restart`.
  transport: async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await calculator().connect(far);
    return near;
  },
});
for (const { name, description } of await mux.listTools()) console.log(`${name}: ${description}`);
const { content } = await mux.callTool('calc__add', { a: 2, b: 40 });
console.log(content[0]?.type === 'text' ? content[0].text : content);
