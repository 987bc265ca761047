import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { guarded } from '../guarded.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { benchEnvironment, ManagedProcess, nodeCommand, type CommandLine } from '../managed-process.js';
import { programPath } from '../program-path.js';
import { mcpmuxCommand, SERVER_NAME } from './stdio-targets.js';
import { running, UNBOUNDED, type RunningTarget, type SharedTargetName, type Target } from './target.js';

/** A process for each window in front of the one that all of them share. CPU time and memory are those of both. */
export const SHARED_TARGETS: Readonly<Record<SharedTargetName, Target>> = {
  shared: {
    label: 'mcpmux --shared',
    maxBytesInFlight: UNBOUNDED,
    start: async (server) => {
      const place = await Place.make();
      const { window, shared } = await place.shared(server);
      return behind(window, [shared], [place]);
    },
  },
  // The floor of every relay that is a process of Node.js: it copies, and looks at nothing.
  'bare-relay': {
    label: 'the shared process behind a relay that only copies',
    maxBytesInFlight: UNBOUNDED,
    start: async (server) => {
      const place = await Place.make();
      const { window, shared, socket } = await place.shared(server);
      const opening = { mcpmux: 'window', cwd: '/', epoch: 0, pid: process.pid, added: [] };
      const bare = place.run(nodeCommand(programPath('bare-relay'), socket, JSON.stringify(opening)));
      return behind(bare, [shared], [window, place]);
    },
  },
  'two-byte-pipes': {
    label: 'two byte pipes',
    maxBytesInFlight: UNBOUNDED,
    start: async (server) => {
      const place = await Place.make();
      const socket = join(place.folder, 'pipe.sock');
      const pipe = place.run(
        nodeCommand(programPath('socket-byte-pipe'), socket, server.command, ...server.args),
      );
      await new Promise((resolve) => pipe.child.stdout.once('data', resolve));
      const bare = place.run(nodeCommand(programPath('bare-relay'), socket));
      const connection = new StdioConnection(bare);
      const target = await running(connection, { tool: 'echo', pid: bare.pid });
      return { ...target, others: [pipe.pid], ...endingAll([target, pipe, place]) };
    },
  },
};

const PAUSE_MS = 10;
const MOST_TRIES = 1000;

interface StartedWindow {
  readonly window: ManagedProcess;
  readonly shared: number;
  readonly socket: string;
}

/** A folder for sockets. */
class Place implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async make(): Promise<Place> {
    return new Place(await mkdtemp(join(tmpdir(), 'mcpmux-bench-')));
  }

  run(command: CommandLine): ManagedProcess {
    return new ManagedProcess(command, benchEnvironment({ MCPMUX_RUNTIME_DIR: this.folder }));
  }

  /** A window, and the process that it has started, which has this server. */
  async shared(server: CommandLine): Promise<StartedWindow> {
    const config = join(this.folder, 'config.json');
    const mcpServers = { [SERVER_NAME]: { ...server, mux: { shared: true } } };
    await writeFile(config, JSON.stringify({ mcpServers }));
    const window = this.run(mcpmuxCommand('serve', '--shared', '--shared-idle', '1', '--config', config));
    const names = async (end: string): Promise<string | undefined> =>
      (await readdir(this.folder)).find((name) => name !== 'config.json' && name.endsWith(end));
    for (;;) {
      const [announcement, socket] = [await names('.json'), await names('.sock')];
      if (announcement !== undefined && socket !== undefined)
        return { window, shared: Number.parseInt(announcement, 10), socket: join(this.folder, socket) };
      if (window.hasExited) throw window.failure('has started no shared process');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** The server of the config, through this process. */
async function behind(
  relay: ManagedProcess,
  others: readonly number[],
  ends: readonly AsyncDisposable[],
): Promise<RunningTarget> {
  const connection = new StdioConnection(relay);
  const tool = `${SERVER_NAME}__echo`;
  const target = await running(connection, { tool, pid: relay.pid });
  await guarded(target, () => untilAnswered(target));
  return { ...target, others, ...endingAll([target, ...ends]) };
}

/** A server that is starting refuses calls. */
async function untilAnswered({ client, tool }: RunningTarget): Promise<void> {
  for (let left = MOST_TRIES; ; left -= 1) {
    try {
      await client.callTool(tool, {});
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

function endingAll(all: readonly AsyncDisposable[]): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      for (const one of all) await one[Symbol.asyncDispose]();
    },
  };
}
