import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const cache = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'node_modules', '.cache');

/** A Node.js of at least a version: this one, or one that `.ci/run` has installed. */
export function newerNode({ major, minor = 0 }) {
  const installed = existsSync(cache) ? readdirSync(cache).filter((name) => /^node-\d+$/.test(name)) : [];
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const programs = installed.map((name) => join(cache, name, 'node_modules', 'node', 'bin', file));
  return [process.execPath, ...programs].find((program) => {
    const { stdout } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    const [ownMajor = 0, ownMinor = 0] = (stdout ?? '').split('.').map(Number);
    return ownMajor > major || (ownMajor === major && ownMinor >= minor);
  });
}
