import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { CLI, cleanEnvironment, NODE } from './built-cli.js';

/** Runs a command of mcpmux that ends by itself. Resolves with its stdout. */
export async function commandOutput(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(NODE, [CLI, ...args], { env: cleanEnvironment(env) });
  return stdout;
}
