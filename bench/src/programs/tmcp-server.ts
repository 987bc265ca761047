// The echo tool in an HTTP server of tmcp, as its guide builds one.
//
// usage: tmcp-server FOLDER PORT PAYLOAD
//   FOLDER  where the packages are installed
import { commandLine, echoDefinition, importFrom, type Zod } from '../http/framework-program.js';

interface Server {
  tool(definition: object, tool: (args: unknown) => unknown): void;
}
interface Tmcp {
  readonly McpServer: new (identity: object, options: object) => Server;
}
interface Adapter {
  readonly ZodJsonSchemaAdapter: new () => object;
}
interface Transport {
  readonly HttpTransport: new (
    server: Server,
    options: object,
  ) => { respond(request: Request): Promise<Response | null> };
}
interface Srvx {
  readonly serve: (options: object) => unknown;
}

const { folder, port, answer } = commandLine();
const { McpServer } = await importFrom<Tmcp>(folder, 'tmcp');
const { ZodJsonSchemaAdapter } = await importFrom<Adapter>(folder, '@tmcp/adapter-zod');
const { HttpTransport } = await importFrom<Transport>(folder, '@tmcp/transport-http');
const { serve } = await importFrom<Srvx>(folder, 'srvx');
const { z } = await importFrom<Zod>(folder, 'zod');

const server = new McpServer(
  { name: 'bench-echo', version: '1' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
server.tool({ ...echoDefinition, schema: z.object({ message: z.string() }) }, () => answer);
const transport = new HttpTransport(server, { path: '/mcp' });

serve({
  hostname: '127.0.0.1',
  port,
  silent: true,
  fetch: async (request: Request) =>
    (await transport.respond(request)) ?? new Response(null, { status: 404 }),
});
