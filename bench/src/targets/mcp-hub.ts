import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { guarded } from '../guarded.js';
import { SseConnection } from '../load/sse-connection.js';
import {
  benchEnvironment,
  ManagedProcess,
  nodeCommand,
  stoppedBySignal,
  type CommandLine,
} from '../managed-process.js';
import { packageFile, programPath } from '../program-path.js';
import { freePort, untilReady } from './http-peer.js';
import { SERVER_NAME } from './stdio-targets.js';
import { BOUNDED, running, type Target } from './target.js';

/** The npm package `mcp-hub`: any number of servers behind HTTP+SSE. */
export const mcpHub: Target = {
  label: 'mcp-hub (HTTP+SSE)',
  maxBytesInFlight: BOUNDED,
  async start(server) {
    const port = await freePort();
    const folder = await prepareFolder(server);
    const process = startHub(port, folder);
    const { [Symbol.asyncDispose]: stop } = stoppedBySignal(process);
    const hub: AsyncDisposable = {
      async [Symbol.asyncDispose]() {
        await stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
    const base = `http://127.0.0.1:${port}`;
    await guarded(hub, () => untilReady(process, () => isReady(`${base}/api/health`)));
    const connection = await guarded(hub, () => SseConnection.open(new URL(`${base}/mcp`), hub));
    return running(connection, { tool: `${SERVER_NAME}__echo`, pid: process.pid });
  },
};

function startHub(port: number, folder: string): ManagedProcess {
  const flags = ['--port', String(port), '--config', join(folder, 'servers.json')];
  const preload = ['--import', programPath('listen-on-loopback')];
  const command = nodeCommand(...preload, packageFile('mcp-hub', 'dist/cli.js'), ...flags);
  const home = { XDG_DATA_HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const process = new ManagedProcess(command, benchEnvironment(home));
  process.child.stdout.resume();
  return process;
}

/** A home of its own, with the configuration and a fresh catalogue: with a stale one it would ask the internet. */
async function prepareFolder({ command, args }: CommandLine): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-hub-'));
  const cache = join(folder, 'mcp-hub', 'cache');
  await mkdir(cache, { recursive: true });
  const catalogue = { registry: { servers: [{}] }, lastFetchedAt: Date.now(), serverDocumentation: {} };
  await writeFile(join(cache, 'registry.json'), JSON.stringify(catalogue));
  const configuration = { mcpServers: { [SERVER_NAME]: { command, args } } };
  await writeFile(join(folder, 'servers.json'), JSON.stringify(configuration));
  return folder;
}

/** The hub listens before its servers are up, and says so. */
async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    const { state } = (await response.json()) as { state?: unknown };
    return state === 'ready';
  } catch {
    // no process listens yet
    return false;
  }
}
