import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is installed, with exact versions: others would give other results. */
const PEERS = { '@modelcontextprotocol/inspector': '2.12.0' };

const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/peers/', import.meta.url));

/** The command of an installed peer. */
export function peerCommand(name: string): string {
  return join(FOLDER, 'node_modules', '.bin', name);
}

/** Installs them before the tests, below the cache of this repository, once for each set of versions. */
export function setup(): void {
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
