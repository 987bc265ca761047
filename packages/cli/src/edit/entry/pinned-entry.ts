import { messageOf } from '@mcpmux/core';

import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { withSpinner } from '../../terminal/spinner.js';
import { versionFinder, type FindNewestVersion } from '../../versions/newest-version.js';
import { packageTarget, packageArgument, argumentsOf } from '../../versions/package-target.js';
import type { NamedEntry } from './new-entry.js';
import { spawnOptionsFinder } from '../../versions/spawn-options.js';

/**
 * Pins an entry's package to its newest version, so that every start runs the same code. Leaves the entry unchanged if
 * it already specifies a version or a range, or if the lookup fails.
 */
export async function pinToNewestVersion(
  context: CommandContext,
  { name, entry }: NamedEntry,
  findNewest: FindNewestVersion = versionFinder(spawnOptionsFinder(context)),
): Promise<NamedEntry> {
  const { command, args } = entry;
  const target = packageTarget(command, args);
  if (target === undefined || target.version !== undefined || target.range !== undefined)
    return { name, entry };
  try {
    const version = await withSpinner(
      context,
      `looking up the version of ${target.name}`,
      findNewest(target),
    );
    const words = argumentsOf(entry);
    return { name, entry: { ...entry, args: words.with(target.index, packageArgument(target, version)) } };
  } catch (error) {
    printNote(context, `${name} gets no version, and may change at any start: ${messageOf(error)}`);
    return { name, entry };
  }
}
