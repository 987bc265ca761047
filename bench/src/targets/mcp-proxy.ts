import { guarded } from '../guarded.js';
import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { ManagedProcess, nodeCommand, stoppedBySignal, type CommandLine } from '../managed-process.js';
import { packageFile } from '../program-path.js';
import { accepts, freePort, untilReady } from './http-peer.js';
import { BOUNDED, running, type Target } from './target.js';

/** How to run the npm package `mcp-proxy` on a port, with this server behind it. */
export function mcpProxyCommand(port: number, server: CommandLine): CommandLine {
  // the event store would keep the last thousand answers: a gigabyte of the largest
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--no-eventStore'];
  const program = packageFile('mcp-proxy', 'dist/bin/mcp-proxy.mjs');
  return nodeCommand(program, ...flags, '--', server.command, ...server.args);
}

/** The npm package `mcp-proxy`: one stdio server behind Streamable HTTP. */
export const mcpProxy: Target = {
  label: 'mcp-proxy (HTTP)',
  maxBytesInFlight: BOUNDED,
  async start(server) {
    const port = await freePort();
    const process = new ManagedProcess(mcpProxyCommand(port, server));
    process.child.stdout.resume();
    const stop = stoppedBySignal(process);
    await guarded(stop, () => untilReady(process, () => accepts(port)));
    const connection = new StreamableHttpConnection(new URL(`http://127.0.0.1:${port}/mcp`), stop);
    return running(connection, { tool: 'echo', pid: process.pid });
  },
};
