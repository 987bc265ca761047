import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { benchEnvironment } from '../managed-process.js';
import { packageFolder } from '../program-path.js';

const run = promisify(execFile);

/** The files that `npx` would fetch and lay down for the command. */
export interface InstallReport {
  readonly tarballBytes: number;
  /** All files in `node_modules`. */
  readonly installedBytes: number;
  readonly packages: number;
}

/** Packs the command as it would be published and installs the tarball into an empty folder. */
export async function measureInstall(): Promise<InstallReport> {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-bench-install-'));
  try {
    const packed = await npm(packageFolder('@mcpmux/cli'), 'pack', '--json', '--pack-destination', folder);
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    const tarball = join(folder, filename);
    const { size } = await lstat(tarball);
    await npm(folder, 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', tarball);
    const modules = join(folder, 'node_modules');
    const lock = await readFile(join(modules, '.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, unknown>> };
    return {
      tarballBytes: size,
      installedBytes: await bytesIn(modules),
      packages: Object.keys(packages).length,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...args], { cwd, env: benchEnvironment() });
  return stdout;
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === '.package-lock.json') continue;
    bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
