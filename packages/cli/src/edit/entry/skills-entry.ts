import { realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import process from 'node:process';

import { isClone, ownEntry, type OwnEntryOptions } from '../../config/own-entry.js';
import { localName } from '../../registry/local-name.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { CommandError, usage } from '../../terminal/command-error.js';
import type { NamedEntry } from './new-entry.js';

const PREFIX = 'skills:';

/** True if a command line names a folder of skills, as `skills:FOLDER` or `NAME skills:FOLDER`. */
export function isOfSkills([first = '', second = '']: readonly string[]): boolean {
  return first.startsWith(PREFIX) || second.startsWith(PREFIX);
}

/**
 * Returns the entry that runs the MCP server for a folder of skills.
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
  const entry = ownEntry({ platform, local: localProgram(), flags: ['skills', folder] });
  return { name: source === first ? localName(basename(folder)) : first, entry };
}

/** Returns this installation, unless it is the published package. */
function localProgram(): OwnEntryOptions['local'] {
  const script = realpathSync(process.argv[1] ?? process.execPath);
  return isClone(script) ? { node: process.execPath, script } : undefined;
}

/**
 * Checks that a folder of skills exists, and returns its path.
 *
 * @throws CommandError FOLDER_NOT_FOUND
 */
export function folderAt(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CommandError('FOLDER_NOT_FOUND', `${folder} is no folder.`, {
    next: 'name a folder of skills, each with a SKILL.md in a folder of its own',
  });
}
