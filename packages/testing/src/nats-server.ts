import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findFreePorts } from './free-ports.js';

const NATS_SERVER_PROGRAM = process.env['MCPMUX_NATS_SERVER'] ?? 'nats-server';

/** True if a nats-server program is found, at the path in MCPMUX_NATS_SERVER or on the PATH. */
export const hasNatsServer = spawnSync(NATS_SERVER_PROGRAM, ['--version']).status === 0;

if (!hasNatsServer)
  // oxlint-disable-next-line no-console -- the reason why tests are skipped
  console.warn('skipped: no nats-server on the PATH, and none in MCPMUX_NATS_SERVER');

/** A NATS server. */
export interface NatsServer extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** The folder in which the server stores its data. */
  readonly folder: string;
  /** The monitoring endpoint. `/jsz` lists the leaders, and `/varz` contains counters. */
  readonly monitorUrl: URL;
  /** Kills the server without a shutdown. */
  kill(): Promise<void>;
  /** Starts the server. After an earlier run, it has the same port and data. */
  start(): Promise<void>;
  /** Suspends or resumes the process, to simulate a network failure. */
  sendSignal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** The ports and configuration of a server in a cluster. */
export interface NatsServerOptions {
  readonly name: string;
  readonly port: number;
  readonly monitorPort: number;
  /** The configuration's `cluster` block. Empty for a single server. */
  readonly cluster: string;
  /** The configuration's account and TLS settings. If absent, the server accepts all clients. */
  readonly access?: string;
}

/** Starts NATS servers with JetStream. Several servers form one cluster. */
export async function startNatsServers(count = 1): Promise<NatsServer[]> {
  const ports = await findFreePorts(count * 3);
  const routePorts = ports.slice(count, 2 * count);
  const servers = routePorts.map((routePort, index) =>
    createNatsServer({
      name: `n${index}`,
      port: ports[index] ?? 0,
      monitorPort: ports[2 * count + index] ?? 0,
      cluster: count > 1 ? clusterBlock(routePort, routePorts) : '',
    }),
  );
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

/** Returns the `cluster` block of a server's configuration. */
export function clusterBlock(port: number, routes: readonly number[], advertised = port): string {
  const urls = routes.map((route) => `nats-route://127.0.0.1:${route}`);
  const address = `127.0.0.1:${advertised}`;
  return `cluster { name: test, listen: "127.0.0.1:${port}", advertise: "${address}", routes: ${JSON.stringify(urls)} }\n`;
}

/** Creates a NATS server without starting it. */
export function createNatsServer({
  name,
  port,
  monitorPort,
  cluster,
  access = '',
}: NatsServerOptions): NatsServer {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-nats-'));
  const config = join(folder, 'nats.conf');
  const lines = [
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitorPort}"`,
    `server_name: ${name}`,
    `jetstream { store_dir: ${JSON.stringify(folder)} }`,
    cluster,
    access,
  ];
  writeFileSync(config, lines.join('\n'));
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    name,
    url: `nats://127.0.0.1:${port}`,
    folder,
    monitorUrl: new URL(`http://127.0.0.1:${monitorPort}`),
    kill,
    start: async () => {
      child = await launchServer(config);
    },
    sendSignal: (signal) => void child?.kill(signal),
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the server accepts connections. */
function launchServer(config: string): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(NATS_SERVER_PROGRAM, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    let text = '';
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const exitMessage = `nats-server ended with ${signal ?? code}:\n${text}`;
      reject(new Error(exitMessage));
      // The test did not kill this server, so its output is the only trace of the reason.
      // oxlint-disable-next-line no-console -- the reason why tests fail
      if (!child.killed) console.error(exitMessage);
    });
    // The server prints this line when it is ready.
    child.stderr?.on('data', (part: Buffer) => {
      text = (text + part.toString()).slice(-10_000);
      if (part.includes('Server is ready')) resolve(child);
    });
  });
}
