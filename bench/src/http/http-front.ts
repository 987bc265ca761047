import { guarded } from '../guarded.js';
import { RawClient } from '../load/raw-client.js';
import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { ManagedProcess, nodeCommand, stoppedBySignal, type CommandLine } from '../managed-process.js';
import { programPath } from '../program-path.js';
import { accepts, freePort, untilReady } from '../targets/http-peer.js';
import { mcpmuxCommand, SERVER_NAME } from '../targets/stdio-targets.js';

/** What clients reach the server through. */
export type HttpFrontName = 'relay' | 'mcpmux';

/** A process that serves clients over HTTP, with the server behind it. */
export interface HttpFront extends AsyncDisposable {
  readonly name: HttpFrontName;
  readonly url: URL;
  readonly pid: number;
  /** The name that the echo tool has here. */
  readonly tool: string;
}

/** The floor: `node:http` in front of the server, and nothing else. */
export async function startRelay(server: CommandLine): Promise<HttpFront> {
  const port = await freePort();
  const front = nodeCommand(programPath('http-relay'), String(port), server.command, ...server.args);
  return listening('relay', front, { port, tool: 'echo' });
}

/** `mcpmux serve --http`, with the server added by a client that has gone again. */
export async function startMuxFront(server: CommandLine, sessions: number): Promise<HttpFront> {
  const port = await freePort();
  const flags = ['--add-policy', 'allow', '--log-level', 'error', '--no-socket'];
  const serve = ['serve', '--http', String(port), '--max-sessions', String(sessions + 1), ...flags];
  const front = await listening('mcpmux', mcpmuxCommand(...serve), { port, tool: `${SERVER_NAME}__echo` });
  await guarded(front, async () => {
    const connection = new StreamableHttpConnection(front.url, front);
    const client = new RawClient(connection);
    await client.initialize();
    await client.callTool('add_server', { name: SERVER_NAME, ...server });
    await connection.endSession();
  });
  return front;
}

async function listening(
  name: HttpFrontName,
  command: CommandLine,
  { port, tool }: { readonly port: number; readonly tool: string },
): Promise<HttpFront> {
  const process = new ManagedProcess(command);
  process.child.stdout.resume();
  const stop = stoppedBySignal(process);
  await guarded(stop, () => untilReady(process, () => accepts(port)));
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  return { name, url, pid: process.pid, tool, [Symbol.asyncDispose]: () => stop[Symbol.asyncDispose]() };
}
