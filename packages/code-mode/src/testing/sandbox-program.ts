import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import type { SandboxProgram } from '../index.js';

/** The program of the thread in which code runs, as this package builds it. */
export async function sandboxProgram(): Promise<SandboxProgram> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../sandbox-worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote no file');
  return { text: file.text };
}
