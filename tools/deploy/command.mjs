import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

const NAMES = new Set(['mcpmux', '/usr/bin/mcpmux', '@mcpmux/cli']);

/** The words after the name of the command; undefined for a command line of another program. */
export function wordsOf(line) {
  const at = line.findIndex((word) => NAMES.has(word));
  return at === -1 ? undefined : line.slice(at + 1);
}

/** The flags of a command line that the built command does not have. */
export function flagProblems(root, words) {
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/mcpmux.cjs'), words[0], '--help'],
    { encoding: 'utf8' },
  );
  return words
    .filter(
      (word) => word.startsWith('--') && !new RegExp(`(?:^|[\\s,])${word}(?=[\\s,=])`, 'm').test(stdout),
    )
    .map((flag) => `mcpmux ${words[0]} has no ${flag}`);
}
