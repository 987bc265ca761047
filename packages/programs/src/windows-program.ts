import { readFile, stat } from 'node:fs/promises';
import { win32 } from 'node:path';

import type { MuxError } from '@mcpmux/kit';

import { batchArguments } from './batch-line.js';
import { parseNpmShim } from './npm-shim.js';
import type { ProcessSpec } from './program-spec.js';
import { systemProgram } from './system-program.js';
import { commandNotFoundError, unusableCommandError } from './unusable-command.js';

/** The system functions for finding a program. Tests on other systems replace them. */
export interface ProgramSystem {
  /** mcpmux's environment. Its PATH is searched if the environment for the program has none. */
  readonly environment: NodeJS.ProcessEnv;
  /** Returns true for a file, and false for a folder. */
  isFile(path: string): Promise<boolean>;
  /** Returns the content of a text file, or undefined if the file cannot be read. */
  readText(path: string): Promise<string | undefined>;
}

/** The system on which this process runs. */
export const thisSystem: ProgramSystem = {
  environment: process.env,
  isFile: async (path) => (await stat(path).catch(() => undefined))?.isFile() === true,
  readText: (path) => readFile(path, 'utf8').catch(() => undefined),
};

/** The file extensions of programs, used if the environment has no PATHEXT. */
const DEFAULT_PATHEXT = '.COM;.EXE;.BAT;.CMD';
/** The file extensions of programs that Windows can start without cmd.exe. */
const PROGRAM_EXTENSIONS = new Set(['.com', '.exe']);
/** Matches characters that have a special meaning for cmd.exe. */
const SHELL_SYNTAX = /[&|<>^%!"()\r\n]/;

/**
 * Returns a spec that Windows can start. Windows itself starts only `.exe` and `.com` files; Node.js refuses others.
 *
 * A name is searched for in PATH, with the extensions in PATHEXT. Unlike cmd.exe, mcpmux does not search the working
 * directory, where a repository could have placed a program with that name.
 *
 * - An npm shim, such as `npx.cmd`: Node.js starts its script.
 * - `cmd /c PROGRAM …`, as in configs for Windows: the program is started directly, unless the shell is needed.
 * - Other `.cmd` and `.bat` files: cmd.exe starts them.
 *
 * @throws MuxError COMMAND_NOT_FOUND or COMMAND_NOT_EXECUTABLE
 */
export async function findWindowsProgram(
  requestedSpec: ProcessSpec,
  system = thisSystem,
): Promise<ProcessSpec> {
  const spec = { ...requestedSpec, env: withoutDuplicateVariables(requestedSpec.env) };
  const { command } = spec;
  const path = await findPath(command, spec, system);
  if (path === undefined) throw notFoundError(spec, system);
  const behindShell = isShell(path) ? await specWithoutShell(spec, system) : undefined;
  if (behindShell !== undefined) return behindShell;
  return specForFile(path, spec, system);
}

async function specForFile(path: string, spec: ProcessSpec, system: ProgramSystem): Promise<ProcessSpec> {
  const ending = win32.extname(path).toLowerCase();
  if (PROGRAM_EXTENSIONS.has(ending)) return { ...spec, command: path };
  if (ending === '.cmd' || ending === '.bat') {
    return (await npmShimSpec(path, spec, system)) ?? batchFileSpec(path, spec);
  }
  const itself = JSON.stringify({ command: 'node', args: [spec.command, ...spec.args] });
  const advice = /^\.[cm]?js$/.test(ending) ? `Give the program that runs it: ${itself}` : 'Give a program';
  const why = `${path} is neither a program nor a .cmd or .bat file`;
  throw unusableCommandError(
    spec.command,
    `cannot be executed: ${why}. ${advice}.`,
    'COMMAND_NOT_EXECUTABLE',
  );
}

/** Returns a spec that starts an npm shim's script with Node.js, or undefined if the script or Node.js is missing. */
async function npmShimSpec(
  path: string,
  spec: ProcessSpec,
  system: ProgramSystem,
): Promise<ProcessSpec | undefined> {
  const appData = variableValue(spec.env, 'APPDATA');
  const text = (await system.readText(path)) ?? '';
  const { scripts = [] } = parseNpmShim(text, path, appData && win32.join(appData, 'npm')) ?? {};
  const script = await findFirstFile(scripts, system);
  if (script === undefined) return undefined;
  const beside = win32.join(win32.dirname(path), 'node.exe');
  const node = (await system.isFile(beside)) ? beside : await findPath('node', spec, system);
  if (node === undefined || !PROGRAM_EXTENSIONS.has(win32.extname(node).toLowerCase())) return undefined;
  return { ...spec, command: node, args: [script, ...spec.args] };
}

function batchFileSpec(path: string, spec: ProcessSpec): ProcessSpec {
  const SystemRoot = variableValue(spec.env, 'SystemRoot');
  const command = variableValue(spec.env, 'ComSpec') || systemProgram({ SystemRoot }, 'cmd.exe');
  return { ...spec, command, args: batchArguments(path, spec.args), windowsVerbatimArguments: true };
}

function isShell(path: string): boolean {
  return win32.basename(path).toLowerCase() === 'cmd.exe';
}

/** Returns a spec for the program after `cmd /c`, or undefined if the shell must run the command (`dir`, `a && b`). */
async function specWithoutShell(spec: ProcessSpec, system: ProgramSystem): Promise<ProcessSpec | undefined> {
  const rest = spec.args.slice(spec.args.findIndex((arg) => !/^\/[ds]$/i.test(arg)));
  const [flag = '', command, ...args] = rest;
  if (!/^\/c$/i.test(flag) || command === undefined) return undefined;
  if ([command, ...args].some((word) => SHELL_SYNTAX.test(word))) return undefined;
  const inner = { ...spec, command, args };
  const path = await findPath(command, inner, system);
  return path === undefined || isShell(path) ? undefined : specForFile(path, inner, system);
}

/**
 * Returns the absolute path of a program or of a script with an extension in PATHEXT, or undefined if there is none.
 */
function findPath(command: string, spec: ProcessSpec, system: ProgramSystem): Promise<string | undefined> {
  const { cwd = '.', env } = spec;
  if (command === '' || command.includes('\0')) return Promise.resolve(undefined);
  const places = isPath(command) ? [''] : foldersOfPath(env, system);
  const endings = extensionsOf(env).map((ending) => ending.toLowerCase());
  const names = win32.extname(command) === '' ? endings : ['', ...endings];
  const paths = places.flatMap((place) => names.map((ending) => win32.resolve(cwd, place, command + ending)));
  return findFirstFile(paths, system);
}

async function findFirstFile(paths: readonly string[], system: ProgramSystem): Promise<string | undefined> {
  for (const path of paths) if (await system.isFile(path)) return path;
  return undefined;
}

function notFoundError(spec: ProcessSpec, system: ProgramSystem): MuxError {
  const { command, cwd = '.', env } = spec;
  const extensions = `the endings of PATHEXT (${extensionsOf(env).join(';')})`;
  if (!isPath(command))
    return commandNotFoundError(spec, foldersOfPath(env, system), { delimiter: ';', extensions });
  return commandNotFoundError(spec, undefined, { file: win32.resolve(cwd, command), extensions });
}

function isPath(command: string): boolean {
  return /[\\/]|^[a-z]:/i.test(command);
}

function foldersOfPath(env: NodeJS.ProcessEnv, { environment }: ProgramSystem): readonly string[] {
  const path = variableValue(env, 'PATH') ?? variableValue(environment, 'PATH') ?? '';
  const folders = path.split(';').map((folder) => folder.replaceAll('"', ''));
  return folders.filter((folder) => folder !== '');
}

function extensionsOf(env: NodeJS.ProcessEnv): readonly string[] {
  return (variableValue(env, 'PATHEXT') || DEFAULT_PATHEXT)
    .split(';')
    .filter((ending) => ending.startsWith('.'));
}

/**
 * If the names of several variables differ only in case, keeps only the last, which is the server's own. Node.js would
 * keep the alphabetically first name.
 */
function withoutDuplicateVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const last = new Map(Object.entries(env).map((entry) => [entry[0].toUpperCase(), entry]));
  return Object.fromEntries(last.values());
}

/** Returns a variable's value. On Windows, names are case-insensitive. */
function variableValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = Object.keys(env).find((other) => other.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
