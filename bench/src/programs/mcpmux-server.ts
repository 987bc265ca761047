// The echo tool in a server of the SDK v2, in the process of mcpmux, as a host embeds one.
//
// usage: mcpmux-server FOLDER PORT PAYLOAD
//   FOLDER  where the packages of the SDK are installed
import { createMux, type SdkTransport } from '@mcpmux/core';
import { createHttpFront } from '@mcpmux/http';

import { commandLine, echoDefinition, importFrom, type Zod } from '../http/framework-program.js';
import { SERVER_NAME } from '../targets/stdio-targets.js';

interface Server {
  registerTool(name: string, config: object, tool: (args: unknown) => unknown): void;
  connect(transport: SdkTransport): Promise<void>;
}
interface Sdk {
  readonly McpServer: new (identity: object) => Server;
  readonly InMemoryTransport: { createLinkedPair(): readonly [SdkTransport, SdkTransport] };
}

const { folder, port, answer } = commandLine();
const { McpServer, InMemoryTransport } = await importFrom<Sdk>(folder, '@modelcontextprotocol/server');
const { z } = await importFrom<Zod>(folder, 'zod');

const { name, description } = echoDefinition;
const inputSchema = z.object({ message: z.string() });

const mux = createMux();
await mux.addServer(SERVER_NAME, {
  transport: async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new McpServer({ name: 'bench-echo', version: '1' });
    server.registerTool(name, { description, inputSchema }, () => answer);
    await server.connect(far);
    return near;
  },
});
await createHttpFront(mux, { port }).listen();
