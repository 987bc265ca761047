import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

const require = createRequire(import.meta.url);

/** The Node.js that runs the built command: any major, chosen by `E2E_NODE`. */
export const NODE = process.env['E2E_NODE'] ?? process.execPath;

/** The built command. */
export const CLI = join(dirname(require.resolve('@mcpmux/cli/package.json')), 'bin', 'mcpmux.js');

/** The environment of the command and of servers. Node.js 20 reads extra certificates at every start, for nothing here. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'NODE_EXTRA_CA_CERTS',
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

/** The entry point of a server that is installed as a package. */
export function installedServer(packageName: string): string {
  return join(dirname(require.resolve(`${packageName}/package.json`)), 'dist', 'index.js');
}
