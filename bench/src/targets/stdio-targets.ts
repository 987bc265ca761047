import { join } from 'node:path';

import { guarded } from '../guarded.js';
import type { Envelope } from '../load/raw-client.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { ManagedProcess, nodeCommand, type CommandLine } from '../managed-process.js';
import { packageFile, programPath } from '../program-path.js';
import { BOUNDED, running, UNBOUNDED, type RunningTarget, type Target } from './target.js';

/** The name under which servers are added to a multiplexer. */
export const SERVER_NAME = 'e';

/** The built command as clients start it. */
export const MCPMUX_COMMAND: CommandLine = mcpmuxCommand();

/** The echo server alone: what the load generator itself can do. */
export const direct: Target = {
  label: 'direct (no process in the middle)',
  maxBytesInFlight: UNBOUNDED,
  start: (server) =>
    running(new StdioConnection(new ManagedProcess(server)), { tool: 'echo', pid: undefined }),
};

/** The floor. */
export const bytePipe = proxyTarget('byte-pipe', UNBOUNDED);

/** The least proxy on the SDK v1. */
export const sdkV1Proxy = proxyTarget('sdk-v1-proxy', BOUNDED);

/** The least proxy on the SDK v2. */
export const sdkV2Proxy = proxyTarget('sdk-v2-proxy', BOUNDED);

/** mcpmux as built, the server added by `add_server`. */
export const mcpmux: Target = {
  label: 'mcpmux',
  maxBytesInFlight: UNBOUNDED,
  start: (server) => startMux(MCPMUX_COMMAND, server),
};

/** Another build of the command: `bin/mcpmux.cjs` in the folder of its package. */
export function otherBuild(folder: string): Target {
  const command = nodeCommand(join(folder, 'bin/mcpmux.cjs'));
  return { ...mcpmux, label: folder, start: (server) => startMux(command, server) };
}

/** The built command with these arguments. */
export function mcpmuxCommand(...args: readonly string[]): CommandLine {
  return nodeCommand(packageFile('@mcpmux/cli', 'bin/mcpmux.cjs'), ...args);
}

/** The client's envelope, and how mcpmux speaks to the server. */
export interface Eras {
  readonly envelope?: Envelope;
  readonly protocol?: 'auto' | 'legacy' | 'modern';
}

/** Starts a program that serves as `mcpmux` does and adds one server to it. */
export async function startMux(
  command: CommandLine,
  server: CommandLine,
  { envelope = {}, protocol = 'auto' }: Eras = {},
): Promise<RunningTarget> {
  const process = new ManagedProcess(command);
  const tool = `${SERVER_NAME}__echo`;
  const target = await running(new StdioConnection(process), { tool, pid: process.pid, envelope });
  const added = { name: SERVER_NAME, ...server, protocol };
  await guarded(target, () => target.client.callTool('add_server', added));
  return target;
}

function proxyTarget(program: string, maxBytesInFlight: number): Target {
  return {
    label: program,
    maxBytesInFlight,
    start: (server) => {
      const process = new ManagedProcess(nodeCommand(programPath(program), server.command, ...server.args));
      return running(new StdioConnection(process), { tool: 'echo', pid: process.pid });
    },
  };
}
