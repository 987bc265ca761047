import { build } from 'esbuild';

import { WORKER } from '../../worker.config.js';
import type { SandboxProgram } from '../index.js';

/** The program of the thread in which code runs, as this package builds it. */
export async function sandboxProgram(): Promise<SandboxProgram> {
  const { outputFiles } = await build({ ...WORKER, write: false });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild wrote no file');
  return { text: file.text };
}
