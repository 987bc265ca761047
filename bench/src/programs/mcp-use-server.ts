// The echo tool in an HTTP server of mcp-use, as its guide builds one.
//
// usage: mcp-use-server FOLDER PORT PAYLOAD
//   FOLDER  where the packages are installed
import { commandLine, echoDefinition, importFrom, type Zod } from '../http/framework-program.js';

interface Server {
  tool(definition: object, tool: (args: unknown) => unknown): unknown;
  listen(port: number): Promise<unknown>;
}
interface McpUse {
  readonly MCPServer: new (config: object) => Server;
}

const { folder, port, answer } = commandLine();
const { MCPServer } = await importFrom<McpUse>(folder, 'mcp-use');
const { z } = await importFrom<Zod>(folder, 'zod');

// it would write a line for each request, which no other front does
const logging = { enabled: false };
const server = new MCPServer({ name: 'bench-echo', version: '1', host: '127.0.0.1', logging });
server.tool({ ...echoDefinition, inputSchema: z.object({ message: z.string() }) }, () => answer);
await server.listen(port);
