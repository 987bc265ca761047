import { execFile } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { packageFolder } from '../program-path.js';

const run = promisify(execFile);

/** Where a program comes from. */
export interface Source {
  readonly from: 'npm' | 'pypi' | 'go';
  readonly package: string;
  readonly version: string;
  /** The name of its program. */
  readonly program: string;
}

/** Some peers need a newer Python than the system has. */
const PYTHONS = ['python3.13', 'python3.12', 'python3'];

/** Installs a program into a folder, if it is not there, and returns its path. No script of an npm package runs. */
export async function install(source: Source, folder: string): Promise<string> {
  const path = join(folder, binaries(source), source.program);
  if (await exists(path)) return path;
  const { from, package: name, version } = source;
  if (from === 'npm') await installFromNpm([`${name}@${version}`], folder);
  else if (from === 'go')
    await run('go', ['install', `${name}@${version}`], { env: { ...process.env, GOBIN: folder } });
  else await installFromPyPi(`${name}==${version}`, folder);
  return path;
}

/** Installs packages from npm as `NAME@VERSION` into a folder, if they are not there. None of their scripts runs. */
export async function installPackages(packages: readonly string[], folder: string): Promise<void> {
  const places = packages.map((one) => join(folder, 'node_modules', one.slice(0, one.lastIndexOf('@'))));
  const found = await Promise.all(places.map(exists));
  if (found.includes(false)) await installFromNpm(packages, folder);
}

/** The folder of a peer, below one that Git ignores: a second run installs nothing. */
export async function peerFolder(from: Source['from'], name: string): Promise<string> {
  const cache = join(packageFolder('@mcpmux/cli'), '../../node_modules/.cache/bench-peers');
  const folder = join(cache, from, name.replaceAll(/[^\w.-]/g, '-'));
  await mkdir(folder, { recursive: true });
  return folder;
}

async function installFromNpm(packages: readonly string[], folder: string): Promise<void> {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', '--prefix', folder, ...flags, ...packages]);
}

function binaries({ from }: Source): string {
  if (from === 'npm') return 'node_modules/.bin';
  return from === 'pypi' ? 'bin' : '.';
}

async function installFromPyPi(requirement: string, folder: string): Promise<void> {
  let failure: unknown;
  for (const python of PYTHONS) {
    try {
      await run(python, ['-m', 'venv', '--clear', folder]);
      await run(join(folder, 'bin/pip'), ['install', '--quiet', requirement]);
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
