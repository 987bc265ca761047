import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const require = createRequire(import.meta.url);

/** The Node.js that runs the built command: any major, chosen by `E2E_NODE`. */
export const NODE = process.env['E2E_NODE'] ?? process.execPath;

/** The built command. */
export const CLI = join(dirname(require.resolve('@mcpmux/cli/package.json')), 'bin', 'mcpmux.cjs');

/** Nothing lies there: the config of whoever runs the tests has no part in them. */
const NO_CONFIG = {
  XDG_CONFIG_HOME: join(tmpdir(), 'mcpmux-e2e-no-config'),
  XDG_STATE_HOME: join(tmpdir(), 'mcpmux-e2e-state'),
  MCPMUX_CONFIG: '',
  MCPMUX_RUNTIME_DIR: join(tmpdir(), 'mcpmux-e2e-run'),
};

/** What of the runner's environment would make a difference: Node.js 20 reads extra certificates at every start. */
const LEFT_OUT: ReadonlySet<string> = new Set(['NODE_EXTRA_CA_CERTS', 'FORCE_COLOR', 'NO_COLOR']);

/** The environment of the command and of servers. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !LEFT_OUT.has(entry[0]),
  );
  return { ...Object.fromEntries(inherited), ...NO_CONFIG, ...extra };
}

/** The entry point of a server that is installed as a package. */
export function installedServer(packageName: string): string {
  return join(dirname(require.resolve(`${packageName}/package.json`)), 'dist', 'index.js');
}
