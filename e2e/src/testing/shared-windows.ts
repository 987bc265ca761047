import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Lifeline } from '@mcpmux/test-servers';
import { vi } from 'vitest';

import { RawCli, type RawCliOptions } from './raw-cli.js';

const GONE_WITHIN = { timeout: 10_000 };

type WindowOptions = Pick<RawCliOptions, 'cwd' | 'env' | 'args' | 'cli'> & {
  /** True: without `--shared-idle`. */
  readonly isIdleDefault?: boolean;
};

/** Windows of one user, which share a process, in folders of their own. */
export class SharedWindows implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    readonly lifeline: Lifeline,
  ) {}

  /** @param servers the servers of the config that all windows have */
  static async open(servers: Readonly<Record<string, object>> = {}): Promise<SharedWindows> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-shared-')));
    await mkdir(join(folder, 'run'), { mode: 0o700 });
    await writeFile(join(folder, 'config.json'), JSON.stringify({ mcpServers: servers }));
    return new SharedWindows(folder, await Lifeline.open());
  }

  get runFolder(): string {
    return join(this.folder, 'run');
  }

  get environment(): Readonly<Record<string, string>> {
    return { MCPMUX_RUNTIME_DIR: this.runFolder, LIFELINE: this.lifeline.address };
  }

  get args(): readonly string[] {
    return [...this.ownArgs, '--shared-idle', '30'];
  }

  private get ownArgs(): readonly string[] {
    return ['serve', '--shared', '--config', join(this.folder, 'config.json')];
  }

  /** A window that has not said anything. */
  start(options: WindowOptions = {}): RawCli {
    const { cwd = this.folder, env = {}, args = [], isIdleDefault = false, ...rest } = options;
    const own = isIdleDefault ? this.ownArgs : this.args;
    return new RawCli({ ...rest, args: [...own, ...args], cwd, env: { ...this.environment, ...env } });
  }

  /** A window that is initialized. */
  async window(options: WindowOptions = {}): Promise<RawCli> {
    const window = this.start(options);
    await window.initialize();
    return window;
  }

  /** The process ids of the shared processes that are announced. */
  async processes(): Promise<readonly number[]> {
    const names = (await readdir(this.runFolder)).filter((name) => name.endsWith('.json'));
    // One that ends meanwhile takes its file away.
    const texts = await Promise.all(
      names.map((name) => readFile(join(this.runFolder, name), 'utf8').catch(() => '{"pid":-1}')),
    );
    return texts.map((text) => (JSON.parse(text) as { readonly pid: number }).pid).filter(isAlive);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pid of await this.processes()) process.kill(pid, 'SIGTERM');
    await vi.waitUntil(async () => (await this.processes()).length === 0, GONE_WITHIN);
    await this.lifeline.waitForAllGone(10_000);
    await this.lifeline[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  if (pid < 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A server as `list_servers` shows it to a window. */
export interface SharedServer {
  readonly name: string;
  readonly scope: string;
  readonly windows: number;
  readonly scope_reason?: string;
  readonly status: string;
  readonly pid?: number;
}

export async function serversOf(window: RawCli): Promise<readonly SharedServer[]> {
  const { result } = await window.call('list_servers');
  const { servers } = (result?.['structuredContent'] ?? { servers: [] }) as {
    readonly servers: readonly SharedServer[];
  };
  return servers;
}

/** Resolves when a tool is listed. */
export async function untilListed(window: RawCli, tool: string): Promise<void> {
  const names = async (): Promise<readonly string[]> => {
    const { result } = await window.request('tools/list');
    return ((result?.['tools'] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name);
  };
  await vi.waitUntil(async () => (await names()).includes(tool), { timeout: 15_000 });
}
