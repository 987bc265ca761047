import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import process from 'node:process';

import { ownEntry } from '../config/own-entry.js';
import { ExitCode } from '../base/exit-code.js';
import { localName } from '../registry/local-name.js';
import type { Action, CommandContext, CommonFlags } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { localScript } from './client-entry.js';
import type { NamedEntry } from './new-entry.js';

const PREFIX = 'skills:';

/** Serves a folder of skills. stdout belongs to the client. */
export const skills: Action<CommonFlags> = async ({ cwd }, [name = ''], { json }) => {
  if (json === true) throw usage('skills has no --json: its stdout belongs to the client.');
  const folder = folderAt(resolve(cwd, name));
  // The SDK is loaded only for this command.
  const { serveSkills } = await import('../skills/serve-skills.js');
  await serveSkills(folder);
  return ExitCode.Ok;
};

/** True if a command line names a folder of skills, as `skills:FOLDER` or `NAME skills:FOLDER`. */
export function isOfSkills([first = '', second = '']: readonly string[]): boolean {
  return first.startsWith(PREFIX) || second.startsWith(PREFIX);
}

/**
 * Returns the entry of the server that serves a folder of skills.
 *
 * @throws CommandError USAGE, FOLDER_NOT_FOUND
 */
export function skillsEntry(
  { cwd, platform }: CommandContext,
  [first = '', second, ...rest]: readonly string[],
): NamedEntry {
  const source = second?.startsWith(PREFIX) === true ? second : first;
  if (rest.length > 0 || (second !== undefined && source === first))
    throw usage('skills:FOLDER takes no arguments.', 'mcpmux add NAME skills:FOLDER');
  const folder = folderAt(resolve(cwd, source.slice(PREFIX.length)));
  const script = localScript({});
  const local = script === undefined ? undefined : { node: process.execPath, script };
  const entry = ownEntry({ platform, local, flags: ['skills', folder] });
  return { name: source === first ? localName(basename(folder)) : first, entry };
}

function folderAt(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CommandError('FOLDER_NOT_FOUND', `${folder} is no folder.`, {
    next: 'name a folder of skills, each with a SKILL.md in a folder of its own',
  });
}
