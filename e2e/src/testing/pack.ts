import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a package manager: with the inherited environment, certificates included, as it talks to the registry. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  // pnpm's shims name the store of this repository there, where a package would find what it does not bring
  const env = { ...process.env, NODE_PATH: undefined };
  const { stdout } = await execute(command, args, { cwd, env, shell: process.platform === 'win32' });
  return stdout;
}

/** Packs a package of this repository as it is published. */
export async function pack(name: string, destination: string): Promise<void> {
  const folder = fileURLToPath(new URL(`../../../packages/${name}`, import.meta.url));
  await run('npx', ['--yes', 'pnpm@10.34.9', 'pack', '--pack-destination', destination], folder);
}
