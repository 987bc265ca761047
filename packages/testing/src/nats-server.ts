import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = process.env['MCPMUX_NATS_SERVER'] ?? 'nats-server';

/** Whether the tests have a nats-server: in MCPMUX_NATS_SERVER, or on the PATH. */
export const hasNatsServer = spawnSync(PROGRAM, ['--version']).status === 0;

if (!hasNatsServer)
  // oxlint-disable-next-line no-console -- the reason why tests are skipped
  console.warn('skipped: no nats-server on the PATH, and none in MCPMUX_NATS_SERVER');

/** One server of NATS. */
export interface NatsServer extends AsyncDisposable {
  readonly url: string;
  /** Where it stores its data. */
  readonly folder: string;
  /** Kills it without a word. */
  kill(): Promise<void>;
  /** Starts it again, with the same port and data. */
  start(): Promise<void>;
  /** Stops or resumes the process, as a network that is cut does. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts servers of NATS with JetStream, several as one cluster. */
export async function natsServers(count = 1): Promise<NatsServer[]> {
  const ports = await freePorts(count * 2);
  const routes = ports.slice(count).map((port) => `nats-route://127.0.0.1:${port}`);
  const servers = ports.slice(0, count).map((port, index) => {
    const cluster = count > 1 ? clusterText(ports[count + index] ?? 0, routes) : '';
    return newServer(port, `n${index}`, cluster);
  });
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

function clusterText(port: number, routes: readonly string[]): string {
  return `cluster { name: test, listen: "127.0.0.1:${port}", routes: ${JSON.stringify(routes)} }\n`;
}

function newServer(port: number, name: string, cluster: string): NatsServer {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-nats-'));
  const config = join(folder, 'nats.conf');
  writeFileSync(
    config,
    `listen: "127.0.0.1:${port}"\nserver_name: ${name}\njetstream { store_dir: ${JSON.stringify(folder)} }\n${cluster}`,
  );
  let child: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    folder,
    kill,
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn(PROGRAM, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
        child = started;
        started.once('error', reject);
        // The last line of its start.
        started.stderr?.on('data', (text: Buffer) => {
          if (text.includes('Server is ready')) resolve();
        });
      }),
    signal: (signal) => void child?.kill(signal),
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const ports = listeners.map((server) => (server.address() as AddressInfo).port);
  for (const server of listeners) server.close();
  return ports;
}
