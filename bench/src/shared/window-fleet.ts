import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RawClient } from '../load/raw-client.js';
import { StdioConnection } from '../load/stdio-connection.js';
import { benchEnvironment, ManagedProcess, nodeCommand } from '../managed-process.js';
import { residentBytes } from '../measure/proc-files.js';
import { programPath } from '../program-path.js';
import { mcpmuxCommand } from '../targets/stdio-targets.js';

/** All processes of some windows and their servers. */
export interface FleetSize {
  readonly processes: number;
  readonly rssBytes: number;
}

/** By this the processes of a folder are found: all of them inherit it. */
const MARK = 'MCPMUX_RUNTIME_DIR';
const POLL_MS = 50;

/** Windows of one user with the same servers. */
export class WindowFleet implements AsyncDisposable {
  private readonly windows: StdioConnection[] = [];

  private constructor(
    private readonly folder: string,
    private readonly flags: readonly string[],
    private readonly servers: number,
  ) {}

  static async make(servers: number, isShared: boolean): Promise<WindowFleet> {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-'));
    const server = { ...nodeCommand(programPath('sdk-server')), mux: { shared: true } };
    const named = Array.from({ length: servers }, (_, at): [string, object] => [`s${at}`, server]);
    await writeFile(join(folder, 'config.json'), JSON.stringify({ mcpServers: Object.fromEntries(named) }));
    return new WindowFleet(folder, isShared ? ['--shared', '--shared-idle', '1'] : [], servers);
  }

  /** Opens a window. Resolves with the milliseconds from its start to the answer to `initialize`. */
  async open(): Promise<number> {
    const started = performance.now();
    const args = ['serve', ...this.flags, '--config', join(this.folder, 'config.json')];
    const window = new ManagedProcess(mcpmuxCommand(...args), benchEnvironment({ [MARK]: this.folder }));
    const connection = new StdioConnection(window);
    this.windows.push(connection);
    const client = new RawClient(connection);
    await client.initialize();
    const ms = performance.now() - started;
    // For a client that only initializes no server is started.
    await client.request('tools/list');
    return ms;
  }

  /** Resolves when every server of every window runs. */
  async size(): Promise<FleetSize> {
    const isShared = this.flags.length > 0;
    const expected = this.servers * (isShared ? 1 : this.windows.length);
    for (;;) {
      const all = await this.processes();
      if (all.filter(({ command }) => command.includes('sdk-server')).length >= expected)
        return { processes: all.length, rssBytes: all.reduce((sum, one) => sum + one.rssBytes, 0) };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async closeLast(): Promise<void> {
    await this.windows.pop()?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.windows.map((window) => window[Symbol.asyncDispose]()));
    // A shared process goes a second after its last window.
    while ((await this.processes()).length > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    await rm(this.folder, { recursive: true, force: true });
  }

  private async processes(): Promise<readonly { readonly command: string; readonly rssBytes: number }[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => {
        try {
          const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
          if (!environment.split('\0').includes(`${MARK}=${this.folder}`)) return [];
          const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
          return [
            { command, rssBytes: residentBytes(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS') },
          ];
        } catch {
          // It has ended meanwhile, or belongs to another user.
          return [];
        }
      }),
    );
    return found.flat();
  }
}
