import { posix } from 'node:path';

/** The rooms of this package from the left: a room may import from itself and from every room before it. */
const ROOM_ORDER: readonly (readonly string[])[] = [
  // side by side: neither knows the other
  ['wire', 'process'],
  ['remote'],
  ['upstream'],
  ['registry'],
  ['catalog'],
  ['routing'],
  ['guards'],
  ['telemetry'],
  ['downstream'],
  ['management'],
  ['mux'],
];

/** Files at the top that every room may import, and that import no room. All others there are `mux`. */
const LEAVES = new Set(['errors', 'limits', 'logger', 'clock', 'zod']);

const RANKS = new Map(ROOM_ORDER.flatMap((rooms, rank) => rooms.map((room) => [room, rank] as const)));
const IMPORT = /\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]*)\1/g;

/** An import that the order of the rooms does not allow. */
export interface LayeringViolation {
  /** Path of the importing file, relative to the source folder. */
  readonly file: string;
  /** The import as written. */
  readonly specifier: string;
  readonly reason: string;
}

/**
 * Finds the imports that run against the order of the rooms.
 *
 * @param files - source texts by path relative to the source folder, with `/` between folders; tests and
 *   `testing` folders are passed over
 */
export function layeringViolations(files: ReadonlyMap<string, string>): LayeringViolation[] {
  const violations: LayeringViolation[] = [];
  for (const [file, source] of files) {
    if (isTestCode(file)) continue;
    for (const match of source.matchAll(IMPORT)) {
      const specifier = match[2] ?? '';
      const reason = objection(file, posix.join(posix.dirname(file), specifier));
      if (reason !== undefined) violations.push({ file, specifier, reason });
    }
  }
  return violations;
}

function objection(file: string, imported: string): string | undefined {
  if (isTestCode(imported)) return 'is code for tests';
  const from = roomOf(file);
  const to = roomOf(imported);
  if (to === 'leaf' || from === to) return undefined;
  if (from === 'leaf') return `is outside the leaves, which ${file} is one of`;

  const fromRank = RANKS.get(from);
  const toRank = RANKS.get(to);
  if (fromRank === undefined) return `is imported by ${from}, a folder without a place in the order`;
  if (toRank === undefined) return `is in ${to}, a folder without a place in the order`;
  if (toRank < fromRank) return undefined;
  return toRank === fromRank ? `is in ${to}, side by side with ${from}` : `is in ${to}, right of ${from}`;
}

function roomOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  if (rest.length > 0) return first;
  return LEAVES.has(first.replace(/\.[jt]s$/, '')) ? 'leaf' : 'mux';
}

function isTestCode(path: string): boolean {
  return /(^|\/)testing\/|\.test\.[jt]s$/.test(path);
}
