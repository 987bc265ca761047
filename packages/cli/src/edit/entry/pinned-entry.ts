import { messageOf } from '@mcpmux/core';

import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { withSpinner } from '../../terminal/spinner.js';
import { newestBy, type FindNewest } from '../../versions/newest-version.js';
import { packageTarget, withVersion, wordsOf } from '../../versions/package-target.js';
import type { NamedEntry } from './new-entry.js';
import { runPlaces } from '../../versions/run-place.js';

/**
 * Returns an entry that runs the newest version of its package by number, so that the server is the same at each start.
 * An entry with a version stays, and so does one whose package has no version that can be found.
 */
export async function pinnedEntry(
  context: CommandContext,
  { name, entry }: NamedEntry,
  find: FindNewest = newestBy(runPlaces(context)),
): Promise<NamedEntry> {
  const { command, args } = entry;
  const target = packageTarget(command, args);
  if (target === undefined || target.version !== undefined || target.range !== undefined)
    return { name, entry };
  try {
    const version = await withSpinner(context, `looking up the version of ${target.name}`, find(target));
    const words = wordsOf(entry);
    return { name, entry: { ...entry, args: words.with(target.at, withVersion(target, version)) } };
  } catch (error) {
    printNote(context, `${name} gets no version, and may change at any start: ${messageOf(error)}`);
    return { name, entry };
  }
}
