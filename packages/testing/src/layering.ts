import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const IMPORT_SPECIFIER = /\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]*)\1/g;
const TEST_CODE_PATH = /(^|\/)testing\/|\.test\.ts$/;

/** Source texts by their paths relative to the source folder, with `/` as the separator. */
export type Sources = ReadonlyMap<string, string>;

/** An import that the order of the rooms does not allow. */
export interface LayeringViolation {
  /** The path of the importing file, relative to the source folder. */
  readonly file: string;
  /** The imported path, as written in the source. */
  readonly specifier: string;
  readonly reason: string;
}

/** Reads all TypeScript files below a source folder. */
export function readSources(folder: string): Sources {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]));
}

/**
 * Finds the imports that violate the order of the rooms. Tests and `testing` folders are exempt.
 *
 * @param order - rooms from left to right, each a folder path such as `upstream/link`. A room may import itself and the
 *   rooms before it. Rooms in one element must not import each other. A file belongs to the room with the longest
 *   matching path. `.` is the source folder itself.
 */
export function findLayeringViolations(
  files: Sources,
  order: readonly (readonly string[])[],
): LayeringViolation[] {
  const ranks = new Map(order.flatMap((rooms, rank) => rooms.map((room) => [room, rank] as const)));
  return importsOf(files).flatMap(({ file, specifier, imported }) => {
    const reason = violationReason(ranks, file, imported);
    return reason === undefined ? [] : [{ file, specifier, reason }];
  });
}

function violationReason(
  ranks: ReadonlyMap<string, number>,
  file: string,
  imported: string,
): string | undefined {
  if (TEST_CODE_PATH.test(imported)) return 'is code for tests';
  const from = roomOf(ranks, file);
  const to = roomOf(ranks, imported);
  if (from === to) return undefined;
  const fromRank = ranks.get(from);
  const toRank = ranks.get(to);
  if (fromRank === undefined) return `is imported by ${from}, a folder without a place in the order`;
  if (toRank === undefined) return `is in ${to}, a folder without a place in the order`;
  if (toRank < fromRank) return undefined;
  return toRank === fromRank ? `is in ${to}, side by side with ${from}` : `is in ${to}, right of ${from}`;
}

/** Returns the listed room that contains a file, or the file's own folder if the list does not contain its room. */
function roomOf(ranks: ReadonlyMap<string, number>, path: string): string {
  const own = posix.dirname(path);
  for (let folder = own; folder !== '.'; folder = posix.dirname(folder)) if (ranks.has(folder)) return folder;
  return own;
}

/**
 * Finds the import cycles between files, including type imports. Tests and `testing` folders are exempt.
 *
 * @returns the sorted files of each cycle
 */
export function findImportCycles(files: Sources): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, imported } of importsOf(files))
    targets.set(file, [...(targets.get(file) ?? []), imported.replace(/\.js$/, '.ts')]);
  const reach = new Map([...targets.keys()].map((file) => [file, reachableFiles(file, targets)]));
  const cycles = new Map<string, string[]>();
  for (const [file, all] of reach) {
    const cycle = [...all].filter((other) => reach.get(other)?.has(file)).toSorted();
    if (cycle.length > 0) cycles.set(cycle.join(), cycle);
  }
  return [...cycles.values()];
}

function reachableFiles(file: string, targets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...(targets.get(file) ?? [])];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(targets.get(next) ?? []));
  }
  return found;
}

function importsOf(files: Sources): { file: string; specifier: string; imported: string }[] {
  return [...files]
    .filter(([file]) => !TEST_CODE_PATH.test(file))
    .flatMap(([file, source]) =>
      [...source.matchAll(IMPORT_SPECIFIER)].map((match) => {
        const specifier = match[2] ?? '';
        return { file, specifier, imported: posix.join(posix.dirname(file), specifier) };
      }),
    );
}
