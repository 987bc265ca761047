import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve } from 'node:path';

import { MuxError, type MuxErrorCode } from '@mcpmux/kit';

import type { ProcessSpec } from './process-spec.js';

/** The packages that contain the programs of most configs. */
const COMES_WITH: ReadonlyMap<string, string> = new Map([
  ['bunx', 'Bun'],
  ['deno', 'Deno'],
  ['docker', 'Docker'],
  ['node', 'Node.js'],
  ['npx', 'Node.js'],
  ['python3', 'Python'],
  ['uv', 'uv'],
  ['uvx', 'uv'],
]);
/** The longest PATH that an error contains, in characters. Most have some hundred characters, and fill the screen. */
const MAX_PATH = 80;

/**
 * Checks before the spawn what `spawn` would report badly. If the working directory is missing, Node.js names the
 * command instead.
 *
 * @throws MuxError CWD_NOT_FOUND, COMMAND_NOT_FOUND or COMMAND_NOT_EXECUTABLE, each naming what is wrong.
 */
export async function checkLaunch(
  spec: ProcessSpec,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  await checkDirectory(spec.cwd);
  // On Windows the rules of the shell (PATHEXT, App Paths) decide; spawn itself reports a program that it cannot find.
  if (platform !== 'win32') await checkProgram(spec);
}

async function checkDirectory(cwd: string | undefined): Promise<void> {
  if (cwd === undefined) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const problem = found === undefined ? 'does not exist' : 'is not a directory';
  throw new MuxError('CWD_NOT_FOUND', `cwd ${JSON.stringify(cwd)} ${problem}. Give a directory that exists.`);
}

async function checkProgram({ command, args, env, cwd }: ProcessSpec): Promise<void> {
  if (command.includes('/')) {
    return checkFile(command, isAbsolute(command) ? command : resolve(cwd ?? '.', command));
  }
  const directories = (env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  for (const directory of directories) {
    // A relative directory in PATH is relative to the directory in which the program will start.
    if ((await kindOf(resolve(cwd ?? '.', directory, command))) === 'program') return;
  }
  refuseArguments(command);
  refuseWindowsShell(command, args);
  const path = directories.join(delimiter);
  const place = path.length > MAX_PATH ? `${directories.length} folders` : path || 'empty';
  const source = COMES_WITH.get(command);
  const install = source === undefined ? 'Install it' : `It comes with ${source}. Install that`;
  throw unusable(command, `was not found in PATH (${place}). ${install}, or give its absolute path.`);
}

async function checkFile(command: string, path: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind === 'program') return;
  if (kind === 'missing') {
    refuseArguments(command);
    throw unusable(command, `was not found: there is no file ${path}.`);
  }
  const why = kind === 'directory' ? 'a directory' : 'not executable';
  throw unusable(command, `cannot be executed: ${path} is ${why}.`, 'COMMAND_NOT_EXECUTABLE');
}

/** Throws if the command is a whole command line. The error shows how to split it. */
function refuseArguments(command: string): void {
  const [program, ...args] = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (program === undefined || args.length === 0) return;
  const split = { command: unquoted(program), args: args.map(unquoted) };
  const rule = 'it is the name of one program, and no shell splits it';
  throw unusable(command, `was not found: ${rule}. Arguments go into args: ${JSON.stringify(split)}.`);
}

/** Throws if the command is the Windows shell, by which configs written for Windows start a program. */
function refuseWindowsShell(command: string, [flag, program, ...args]: readonly string[]): void {
  if (!/^cmd(?:\.exe)?$/i.test(command) || !/^\/c$/i.test(flag ?? '') || program === undefined) return;
  const itself = JSON.stringify({ command: program, args });
  const why = 'it is the shell of Windows, and this system needs none';
  throw unusable(command, `was not found: ${why}. Give the program itself: ${itself}.`);
}

function unusable(command: string, problem: string, code: MuxErrorCode = 'COMMAND_NOT_FOUND'): MuxError {
  return new MuxError(code, `command ${JSON.stringify(command)} ${problem}`, { data: { command } });
}

function unquoted(word: string): string {
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}

async function kindOf(path: string): Promise<'program' | 'missing' | 'directory' | 'plain file'> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'missing';
  if (found.isDirectory()) return 'directory';
  return access(path, constants.X_OK).then(
    () => 'program',
    () => 'plain file',
  );
}
