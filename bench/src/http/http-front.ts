import { join } from 'node:path';

import { guarded } from '../guarded.js';
import { RawClient } from '../load/raw-client.js';
import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { ManagedProcess, nodeCommand, stoppedBySignal, type CommandLine } from '../managed-process.js';
import { packageFile, programPath } from '../program-path.js';
import { accepts, freePort, untilReady } from '../targets/http-peer.js';
import { mcpProxyCommand } from '../targets/mcp-proxy.js';
import { SERVER_NAME } from '../targets/stdio-targets.js';
import { echoServer } from '../forwarding/lineup.js';
import type { ClientEra } from '../load/modern-headers.js';
import type { PayloadName } from '../payload.js';
import { frameworkServer, isFramework, type FrameworkName } from './frameworks.js';

/** The front between clients and the server; `mcpmux:` stands before the folder of another build of the command. */
export type HttpFrontName = 'relay' | 'mcpmux' | 'mcp-proxy' | `mcpmux:${string}` | FrameworkName;

/** A process that serves clients over HTTP, with the server behind it. */
export interface HttpFront extends AsyncDisposable {
  readonly name: HttpFrontName;
  readonly url: URL;
  readonly pid: number;
  /** The name that the echo tool has here. */
  readonly tool: string;
}

/** The clients of a front, and the answers that they get. */
export interface FrontInit {
  /** The answer of the server to each call, and the era of its clients. */
  readonly payload: PayloadName;
  readonly era: ClientEra;
  readonly clients: number;
}

/**
 * Starts a front.
 *
 * @param nodeFlags of mcpmux
 */
export async function startFront(
  name: HttpFrontName,
  { payload, era, clients }: FrontInit,
  nodeFlags: readonly string[] = [],
): Promise<HttpFront> {
  const port = await freePort();
  if (isFramework(name)) {
    const { tool, ...command } = await frameworkServer(name, port, payload);
    return { ...(await listening(name, command, port)), tool };
  }
  const server = echoServer(payload, era === 'modern' ? ['--modern'] : []);
  if (name === 'mcp-proxy') return listening(name, mcpProxyCommand(port, server), port);
  if (name === 'relay')
    return listening(
      name,
      nodeCommand(programPath('http-relay'), String(port), server.command, ...server.args),
      port,
    );
  const mux = muxCommand(name, port, clients);
  const front = await listening(name, { ...mux, args: [...nodeFlags, ...mux.args] }, port);
  await guarded(front, () => addServer(front, server));
  return front;
}

/** True if a front is a build of mcpmux. */
export function isMux(name: HttpFrontName): boolean {
  return name.startsWith('mcpmux');
}

function muxCommand(name: HttpFrontName, port: number, sessions: number): CommandLine {
  const [, folder] = name.split(':');
  const bin = 'bin/mcpmux.cjs';
  const file = folder === undefined ? packageFile('@mcpmux/cli', bin) : join(folder, bin);
  const flags = ['--add-policy', 'allow', '--log-level', 'error', '--no-socket'];
  return nodeCommand(file, 'serve', '--http', String(port), '--max-sessions', String(sessions + 1), ...flags);
}

/** By a client that is gone again. */
async function addServer(front: HttpFront, server: CommandLine): Promise<void> {
  const connection = new StreamableHttpConnection(front.url, front);
  const client = new RawClient(connection);
  await client.initialize();
  await client.callTool('add_server', { name: SERVER_NAME, ...server });
  await connection.endSession();
}

/** Starts a program, and waits until it listens on the port. */
export async function listening(name: HttpFrontName, command: CommandLine, port: number): Promise<HttpFront> {
  const process = new ManagedProcess(command);
  process.child.stdout.resume();
  const stop = stoppedBySignal(process);
  await guarded(stop, () => untilReady(process, () => accepts(port)));
  return {
    name,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    pid: process.pid,
    tool: isMux(name) ? `${SERVER_NAME}__echo` : 'echo',
    [Symbol.asyncDispose]: () => stop[Symbol.asyncDispose](),
  };
}
