import { RawClient } from '../load/raw-client.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { ManagedProcess, nodeCommand } from '../managed-process.js';
import { programPath } from '../program-path.js';
import { mcpmuxCommand } from '../targets/stdio-targets.js';
import type { Search } from './libraries.js';
import type { RecordedServer, Tasks } from './recorded-tools.js';

const MOST = 100;
/** Long enough that no name of a tool is shortened. */
const NAMES = ['--name-budget', '128'];

/** Starts mcpmux with all servers, and asks `search_tools` of it for each task. */
export async function muxSearch(servers: readonly RecordedServer[], tasks: Tasks): Promise<Search> {
  const command = mcpmuxCommand('serve', '--no-config', '--log-level', 'error', ...NAMES);
  await using connection = new StdioConnection(new ManagedProcess(command));
  const client = new RawClient(connection);
  await client.initialize();
  for (const { server } of servers)
    await client.callTool('add_server', {
      name: server,
      ...nodeCommand(programPath('recorded-server'), server),
    });
  const found = new Map<string, readonly string[]>();
  for (const query of Object.keys(tasks)) {
    const { result } = await client.callTool('search_tools', { query, detail: 'name', limit: MOST });
    const { tools } = result['structuredContent'] as { tools: readonly { readonly name: string }[] };
    found.set(
      query,
      tools.map(({ name }) => name).filter((name) => name.includes('__')),
    );
  }
  return (query) => found.get(query) ?? [];
}
