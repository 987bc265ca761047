import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import type { Program } from '../surface/wire.js';
import { buildPeers } from './compiled-peers.js';

/** What is installed, with exact versions: others would give other results. */
const PEERS = { '@modelcontextprotocol/inspector': '2.12.0' };

/** The same for Python. fastmcp 4.1 wants a certifi that not every mirror has. */
const PYTHON_PEERS = ['mcp==2.3.0', 'fastmcp==4.0.11'];

const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/peers/', import.meta.url));

/** The command of an installed peer. */
export function peerCommand(name: string): string {
  return join(FOLDER, 'node_modules', '.bin', name);
}

/** Where the packages of Python lie. */
const PYTHON_PATH = join(FOLDER, 'python');

/** A script of `python/`, which finds the packages of Python. */
export function inPython(script: string): Program {
  const file = fileURLToPath(new URL(`python/${script}`, import.meta.url));
  return { command: 'python3', args: [file], env: { PYTHONPATH: PYTHON_PATH } };
}

/** Whether Python and its packages are there: not every machine has them. */
export function hasPython(): boolean {
  return existsSync(PYTHON_PATH);
}

/** Installs and builds them before the tests, below the cache of this repository, once for each set of versions. */
export function setup(): void {
  installPackages();
  if (!hasPython()) installPython();
  buildPeers();
}

function installPython(): void {
  const flags = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore'];
  try {
    const args = ['-m', 'pip', 'install', ...flags, '--target', PYTHON_PATH, ...PYTHON_PEERS];
    execFileSync('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    rmSync(PYTHON_PATH, { recursive: true, force: true });
    process.stderr.write(`The peers in Python are not run: ${String(error)}\n`);
  }
}

function installPackages(): void {
  const manifest = `${JSON.stringify({ private: true, dependencies: PEERS })}\n`;
  const file = join(FOLDER, 'package.json');
  const stamp = join(FOLDER, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, manifest);
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', FOLDER, ...flags], { stdio: 'inherit' });
  writeFileSync(stamp, manifest);
}
