import { realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import process from 'node:process';

import { isCheckout, ownEntry, type OwnEntryOptions } from '../../config/own-entry.js';
import { localServerName } from '../../registry/local-name.js';
import type { CommandContext } from '../../terminal/command-context.js';
import { CommandError, usageError } from '../../terminal/command-error.js';
import type { NamedEntry } from './new-entry.js';

const SKILLS_PREFIX = 'skills:';

/** True if a command line names a folder of skills, as `skills:FOLDER` or `NAME skills:FOLDER`. */
export function refersToSkills([first = '', second = '']: readonly string[]): boolean {
  return first.startsWith(SKILLS_PREFIX) || second.startsWith(SKILLS_PREFIX);
}

/**
 * Returns the name and the entry of an MCP server that serves a folder of skills.
 *
 * @throws CommandError USAGE, FOLDER_NOT_FOUND
 */
export function createSkillsEntry(
  { cwd, platform }: CommandContext,
  [first = '', second, ...rest]: readonly string[],
): NamedEntry {
  const source = second?.startsWith(SKILLS_PREFIX) === true ? second : first;
  if (rest.length > 0 || (second !== undefined && source === first))
    throw usageError('skills:FOLDER takes no arguments.', 'mcpmux add NAME skills:FOLDER');
  const folder = requireFolder(resolve(cwd, source.slice(SKILLS_PREFIX.length)));
  const entry = ownEntry({ platform, localInstallation: localProgram(), flags: ['skills', folder] });
  return { name: source === first ? localServerName(basename(folder)) : first, entry };
}

/** Returns the running program if it is in a checkout, or undefined if it is an installed package. */
function localProgram(): OwnEntryOptions['localInstallation'] {
  const script = realpathSync(process.argv[1] ?? process.execPath);
  return isCheckout(script) ? { node: process.execPath, script } : undefined;
}

/**
 * Checks that a folder of skills exists, and returns its path.
 *
 * @throws CommandError FOLDER_NOT_FOUND
 */
export function requireFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CommandError('FOLDER_NOT_FOUND', `${folder} is no folder.`, {
    next: 'name a folder of skills, each with a SKILL.md in a folder of its own',
  });
}
