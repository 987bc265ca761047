// The echo tool in an HTTP server of the SDK v2, as its guide builds one.
//
// usage: sdk-v2-http-server FOLDER PORT PAYLOAD
//   FOLDER  where the packages are installed
import { createServer, type RequestListener } from 'node:http';

import { commandLine, echoDefinition, importFrom, type Zod } from '../http/framework-program.js';

type Tool = (args: unknown) => unknown;
interface Server {
  registerTool(name: string, config: object, tool: Tool): void;
}
interface Sdk {
  readonly McpServer: new (identity: object) => Server;
  readonly createMcpHandler: (open: () => Server) => object;
}
interface Node {
  readonly toNodeHandler: (handler: object) => RequestListener;
}

const { folder, port, answer } = commandLine();
const { McpServer, createMcpHandler } = await importFrom<Sdk>(folder, '@modelcontextprotocol/server');
const { toNodeHandler } = await importFrom<Node>(folder, '@modelcontextprotocol/node');
const { z } = await importFrom<Zod>(folder, 'zod');

const { name, description } = echoDefinition;
const inputSchema = z.object({ message: z.string() });

function open(): Server {
  const server = new McpServer({ name: 'bench-echo', version: '1' });
  server.registerTool(name, { description, inputSchema }, () => answer);
  return server;
}

createServer(toNodeHandler(createMcpHandler(open))).listen(port, '127.0.0.1');
