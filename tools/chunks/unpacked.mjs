// The size of the command as it is published.
import { execFileSync } from 'node:child_process';
import process from 'node:process';

/** Returns the bytes of all files of a package, unpacked. */
export function unpackedBytes(folder) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  return JSON.parse(text)[0].unpackedSize;
}
