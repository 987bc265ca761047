import { readFile, stat } from 'node:fs/promises';
import { win32 } from 'node:path';

import type { MuxError } from '@mcpmux/kit';

import { batchArguments } from './batch-line.js';
import { npmShim } from './npm-shim.js';
import type { ProcessSpec } from './program-spec.js';
import { systemProgram } from './system-program.js';
import { notFound, unusable } from './unusable-command.js';

/** The parts of the system that the search for a program needs. Tests on other systems replace them. */
export interface ProgramSystem {
  /** The environment of mcpmux. A process gets PATH from it if the process's own environment has none. */
  readonly environment: NodeJS.ProcessEnv;
  /** Returns false for a folder. */
  isFile(path: string): Promise<boolean>;
  /** Returns the content of a text file, or undefined if the file cannot be read. */
  read(path: string): Promise<string | undefined>;
}

/** The system of this process. */
export const thisSystem: ProgramSystem = {
  environment: process.env,
  isFile: async (path) => (await stat(path).catch(() => undefined))?.isFile() === true,
  read: (path) => readFile(path, 'utf8').catch(() => undefined),
};

/** The file extensions of programs if the environment has no PATHEXT. */
const PATHEXT = '.COM;.EXE;.BAT;.CMD';
/** The file extensions of programs that the system itself starts. */
const PROGRAM_EXTENSIONS = new Set(['.com', '.exe']);
/** Matches characters with a special meaning in the shell. */
const SHELL_SYNTAX = /[&|<>^%!"()\r\n]/;

/**
 * Returns a spec that Windows can start. Windows itself starts only `.exe` and `.com` files; Node.js refuses others.
 *
 * A name is searched in PATH with the extensions in PATHEXT. Unlike cmd.exe, mcpmux does not search the working
 * directory, where a repository could have placed a program with that name.
 *
 * - An npm shim, such as `npx.cmd`: Node.js starts its script.
 * - `cmd /c PROGRAM …`, as in configs for Windows: the program is started directly, unless the shell is needed.
 * - Other `.cmd` and `.bat` files: cmd.exe starts them.
 *
 * @throws MuxError COMMAND_NOT_FOUND or COMMAND_NOT_EXECUTABLE
 */
export async function windowsProgram(given: ProcessSpec, system = thisSystem): Promise<ProcessSpec> {
  const spec = { ...given, env: withoutDuplicates(given.env) };
  const { command } = spec;
  const path = await find(command, spec, system);
  if (path === undefined) throw notFoundError(spec, system);
  const behindShell = isShell(path) ? await withoutShell(spec, system) : undefined;
  if (behindShell !== undefined) return behindShell;
  return startSpec(path, spec, system);
}

async function startSpec(path: string, spec: ProcessSpec, system: ProgramSystem): Promise<ProcessSpec> {
  const ending = win32.extname(path).toLowerCase();
  if (PROGRAM_EXTENSIONS.has(ending)) return { ...spec, command: path };
  if (ending === '.cmd' || ending === '.bat') {
    return (await nodeSpec(path, spec, system)) ?? shellSpec(path, spec);
  }
  const itself = JSON.stringify({ command: 'node', args: [spec.command, ...spec.args] });
  const advice = /^\.[cm]?js$/.test(ending) ? `Give the program that runs it: ${itself}` : 'Give a program';
  const why = `${path} is neither a program nor a .cmd or .bat file`;
  throw unusable(spec.command, `cannot be executed: ${why}. ${advice}.`, 'COMMAND_NOT_EXECUTABLE');
}

/** Returns a spec for the script behind an npm shim, or undefined for any other file. */
async function nodeSpec(
  path: string,
  spec: ProcessSpec,
  system: ProgramSystem,
): Promise<ProcessSpec | undefined> {
  const appData = variable(spec.env, 'APPDATA');
  const text = (await system.read(path)) ?? '';
  const { scripts = [] } = npmShim(text, path, appData && win32.join(appData, 'npm')) ?? {};
  const script = await firstFile(scripts, system);
  if (script === undefined) return undefined;
  const beside = win32.join(win32.dirname(path), 'node.exe');
  const node = (await system.isFile(beside)) ? beside : await find('node', spec, system);
  if (node === undefined || !PROGRAM_EXTENSIONS.has(win32.extname(node).toLowerCase())) return undefined;
  return { ...spec, command: node, args: [script, ...spec.args] };
}

function shellSpec(path: string, spec: ProcessSpec): ProcessSpec {
  const SystemRoot = variable(spec.env, 'SystemRoot');
  const command = variable(spec.env, 'ComSpec') || systemProgram({ SystemRoot }, 'cmd.exe');
  return { ...spec, command, args: batchArguments(path, spec.args), windowsVerbatimArguments: true };
}

function isShell(path: string): boolean {
  return win32.basename(path).toLowerCase() === 'cmd.exe';
}

/** Returns a spec for the program behind `cmd /c`, or undefined if the shell itself must run it (`dir`, `a && b`). */
async function withoutShell(spec: ProcessSpec, system: ProgramSystem): Promise<ProcessSpec | undefined> {
  const rest = spec.args.slice(spec.args.findIndex((arg) => !/^\/[ds]$/i.test(arg)));
  const [flag = '', command, ...args] = rest;
  if (!/^\/c$/i.test(flag) || command === undefined) return undefined;
  if ([command, ...args].some((word) => SHELL_SYNTAX.test(word))) return undefined;
  const inner = { ...spec, command, args };
  const path = await find(command, inner, system);
  return path === undefined || isShell(path) ? undefined : startSpec(path, inner, system);
}

/** Returns the absolute path of a program, or of a script with an extension in PATHEXT; undefined if there is none. */
function find(command: string, spec: ProcessSpec, system: ProgramSystem): Promise<string | undefined> {
  const { cwd = '.', env } = spec;
  if (command === '' || command.includes('\0')) return Promise.resolve(undefined);
  const places = isPath(command) ? [''] : foldersOf(env, system);
  const endings = endingsOf(env).map((ending) => ending.toLowerCase());
  const names = win32.extname(command) === '' ? endings : ['', ...endings];
  const paths = places.flatMap((place) => names.map((ending) => win32.resolve(cwd, place, command + ending)));
  return firstFile(paths, system);
}

async function firstFile(paths: readonly string[], system: ProgramSystem): Promise<string | undefined> {
  for (const path of paths) if (await system.isFile(path)) return path;
  return undefined;
}

function notFoundError(spec: ProcessSpec, system: ProgramSystem): MuxError {
  const { command, cwd = '.', env } = spec;
  const endings = `the endings of PATHEXT (${endingsOf(env).join(';')})`;
  if (!isPath(command)) return notFound(spec, foldersOf(env, system), { delimiter: ';', endings });
  return notFound(spec, undefined, { file: win32.resolve(cwd, command), endings });
}

function isPath(command: string): boolean {
  return /[\\/]|^[a-z]:/i.test(command);
}

function foldersOf(env: NodeJS.ProcessEnv, { environment }: ProgramSystem): readonly string[] {
  const path = variable(env, 'PATH') ?? variable(environment, 'PATH') ?? '';
  const folders = path.split(';').map((folder) => folder.replaceAll('"', ''));
  return folders.filter((folder) => folder !== '');
}

function endingsOf(env: NodeJS.ProcessEnv): readonly string[] {
  return (variable(env, 'PATHEXT') || PATHEXT).split(';').filter((ending) => ending.startsWith('.'));
}

/**
 * Returns the environment without variables whose names differ only in letter case. The last one remains, which is the
 * server's own. Node.js would pass on the first one in alphabetical order.
 */
function withoutDuplicates(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const last = new Map(Object.entries(env).map((entry) => [entry[0].toUpperCase(), entry]));
  return Object.fromEntries(last.values());
}

/** Returns the value of a variable. Names are case-insensitive on Windows. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = Object.keys(env).find((other) => other.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
