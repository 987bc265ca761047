import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve } from 'node:path';

import { MuxError } from '@mcpmux/kit';

import type { ProcessSpec } from './program-spec.js';
import { commandNotFoundError, unusableCommandError } from './unusable-command.js';
import { findWindowsProgram } from './windows-program.js';

/**
 * Returns a spec that the operating system can start. Checks for problems for which `spawn` reports misleading errors.
 * For example, Node.js blames the command if the working directory is missing.
 *
 * @throws MuxError CWD_NOT_FOUND, COMMAND_NOT_FOUND or COMMAND_NOT_EXECUTABLE, with the directory or command at fault
 */
export async function findProgram(
  spec: ProcessSpec,
  platform: NodeJS.Platform = process.platform,
): Promise<ProcessSpec> {
  await checkDirectory(spec.cwd);
  if (platform === 'win32') return findWindowsProgram(spec);
  await checkProgram(spec);
  return spec;
}

async function checkDirectory(cwd: string | undefined): Promise<void> {
  if (cwd === undefined) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const problem = found === undefined ? 'does not exist' : 'is not a directory';
  throw new MuxError('CWD_NOT_FOUND', `cwd ${JSON.stringify(cwd)} ${problem}. Give a directory that exists.`);
}

async function checkProgram(spec: ProcessSpec): Promise<void> {
  const { command, env, cwd = '.' } = spec;
  if (command.includes('/')) {
    return checkFile(spec, isAbsolute(command) ? command : resolve(cwd, command));
  }
  const directories = (env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  for (const directory of directories) {
    // A relative directory in PATH is resolved against the directory in which the program will start.
    if ((await fileKind(resolve(cwd, directory, command))) === 'program') return;
  }
  throw commandNotFoundError(spec, directories, { delimiter });
}

async function checkFile(spec: ProcessSpec, file: string): Promise<void> {
  const kind = await fileKind(file);
  if (kind === 'program') return;
  if (kind === 'missing') throw commandNotFoundError(spec, undefined, { file });
  const why = kind === 'directory' ? 'a directory' : 'not executable';
  throw unusableCommandError(
    spec.command,
    `cannot be executed: ${file} is ${why}.`,
    'COMMAND_NOT_EXECUTABLE',
  );
}

async function fileKind(path: string): Promise<'program' | 'missing' | 'directory' | 'plain file'> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 'missing';
  if (found.isDirectory()) return 'directory';
  return access(path, constants.X_OK).then(
    () => 'program',
    () => 'plain file',
  );
}
