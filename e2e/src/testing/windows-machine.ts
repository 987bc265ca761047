import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, win32 } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { CLI } from './built-cli.js';
import { hasTerminals } from './terminal.js';
import { PRESSED_CTRL_C, pressCtrlC } from './windows-console.js';
import { windowsSingleFile } from './windows-single-file.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('../windows/', import.meta.url));
const NODES = join(root, 'node_modules', '.cache', 'windows-node');
/** The part of the keyring that Windows needs. The installed packages are those of this system. */
const KEYRING = join(
  root,
  'node_modules',
  '.cache',
  'windows-keyring',
  'package',
  'keyring.win32-x64-msvc.node',
);
const isWindows = process.platform === 'win32';
const hasConsole = !isWindows && hasTerminals;

/** The result of one situation on Windows. */
export interface Played {
  readonly title: string;
  /** Absent if mcpmux did what the title says. */
  readonly problem?: string;
  readonly ms: number;
}

/** One Node.js on Windows, or under Wine. */
export interface WindowsMachine {
  readonly version: string;
  /** Plays all situations, or those whose titles contain `only`. */
  play(only?: string): Promise<readonly Played[]>;
}

/** Why no situation can be played here; undefined if they can. */
export function missingWindows(): string | undefined {
  if (isWindows) return undefined;
  if (spawnSync('wine', ['--version']).status !== 0) return 'Wine is not installed';
  if (!existsSync(NODES)) return 'there is no Node.js for Windows: node tools/windows-node.mjs';
  return npmFolder() === undefined ? 'this Node.js has no npm' : undefined;
}

/** Whether the situations are played under the Wine of docs/internals/windows.json, whose faults are known. */
export function isWine8(): boolean {
  return !isWindows && spawnSync('wine', ['--version']).stdout.toString().startsWith('wine-8');
}

/** The Node.js on Windows: this one, or the fetched ones under Wine. */
export async function windowsMachines(): Promise<readonly WindowsMachine[]> {
  if (missingWindows() !== undefined) return [];
  if (isWindows) return [machine(process.version.slice(1), process.execPath)];
  const versions = (await readdir(NODES)).toSorted();
  return versions.map((version) => machine(version, join(NODES, version, 'package', 'bin', 'node.exe')));
}

function machine(version: string, node: string): WindowsMachine {
  return {
    version,
    play: async (only) => {
      const folder = await mkdtemp(join(tmpdir(), 'mcpmux-windows-'));
      try {
        const all = await played(folder, node, only);
        return hasConsole && (only === undefined || PRESSED_CTRL_C.includes(only))
          ? [...all, await playedInConsole(folder, node)]
          : all;
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 20 });
      }
    },
  };
}

async function played(folder: string, node: string, only: string | undefined): Promise<readonly Played[]> {
  const results = join(folder, 'results');
  const settings = join(folder, 'settings.json');
  const places = { folder: seen(join(folder, 'files')), results: seen(results), cli: seen(CLI) };
  const server = seen(join(here, 'server.mjs'));
  const shim = (await shims()).replaceAll('\n', '\r\n').replace(String.raw`..\pkg\cli.js`, 'SCRIPT');
  const keyring = isWindows ? undefined : seen(KEYRING);
  const run = await runner(folder, node);
  const single = isWindows ? undefined : await windowsSingleFile({ folder, seen, node, run });
  const optional = { keyring, single: single === undefined ? undefined : seen(single) };
  await writeFile(
    settings,
    JSON.stringify({ ...places, server, npm: seen(npmFolder() ?? ''), shim, ...optional }),
  );
  await writeFile(results, '');
  await run([seen(join(here, 'driver.mjs')), seen(settings), ...(only === undefined ? [] : [only])]);
  const lines = (await readFile(results, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Played);
}

async function playedInConsole(folder: string, node: string): Promise<Played> {
  const server = seen(join(here, 'server.mjs'));
  const began = performance.now();
  const problem = await pressCtrlC({ folder, seen, node, server, env: wineVariables(folder) }).then(
    () => undefined,
    String,
  );
  const title = PRESSED_CTRL_C;
  return { title, ...(problem !== undefined && { problem }), ms: Math.round(performance.now() - began) };
}

type Run = (args: readonly string[]) => Promise<void>;

/** What runs programs of Node.js for Windows. Under Wine their streams must be files: pipes of Linux fail with EBADF. */
async function runner(folder: string, node: string): Promise<Run> {
  const env = { ...process.env, ...wineVariables(folder) };
  if (!isWindows) {
    const execute = promisify(execFile);
    await execute('wineboot', ['--init'], { env });
    const version = ['add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f'];
    await execute('wine', ['reg', ...version], { env });
  }
  return (args) => runToEnd(folder, env, isWindows ? [node, ...args] : ['wine', node, ...args]);
}

function wineVariables(folder: string): Readonly<Record<string, string>> {
  return { WINEPREFIX: join(folder, 'wine'), WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=' };
}

async function runToEnd(folder: string, env: NodeJS.ProcessEnv, line: readonly string[]): Promise<void> {
  const output = await open(join(folder, 'output'), 'w');
  try {
    const [command = '', ...words] = line;
    const child = spawn(command, words, { env, cwd: folder, stdio: ['ignore', output.fd, output.fd] });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(await readFile(join(folder, 'output'), 'utf8'));
  } finally {
    await output.close();
    if (!isWindows) await promisify(execFile)('wineserver', ['--kill'], { env }).catch(() => undefined);
  }
}

/** A path as Windows sees it. */
function seen(path: string): string {
  return isWindows ? path : win32.join('Z:\\', path);
}

/** The npm that comes with this Node.js. */
function npmFolder(): string | undefined {
  const beside = dirname(process.execPath);
  const folders = [join(beside, 'node_modules', 'npm'), join(beside, '..', 'lib', 'node_modules', 'npm')];
  return folders.find((folder) => existsSync(join(folder, 'bin', 'npx.cmd')));
}

/** The shim of a package, as the unit tests have it. */
async function shims(): Promise<string> {
  const text = await readFile(join(root, 'packages', 'programs', 'src', 'testing', 'shims.ts'), 'utf8');
  const [, shim = ''] = /SHIM = String\.raw`([^`]*)`/.exec(text) ?? [];
  return shim;
}
