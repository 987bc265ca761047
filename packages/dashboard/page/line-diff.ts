/** A line of a diff, which consists of a sign, a space and the text. */
export type DiffLine = `${'+' | '-' | ' '} ${string}`;

/** Longer texts are not compared line by line, because the time grows with the product of their lengths. */
const MAX_LINES = 1000;

/** Returns the lines of two texts as a diff. Lines that only one text contains have a sign. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).toReversed(), now.slice(start).toReversed());
  const middle = diffOf(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  const first = old.findIndex((line, index) => line !== now[index]);
  return first === -1 ? old.length : first;
}

function same(lines: readonly string[]): readonly DiffLine[] {
  return lines.map((line): DiffLine => `  ${line}`);
}

/** Returns the diff of two texts. The longest common lines have no sign, and all others have one. */
function diffOf(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const isLong = old.length > MAX_LINES || now.length > MAX_LINES;
  const common = isLong ? [] : lengths(old, now);
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    const [a, b] = [old[left], now[right]];
    if (a !== undefined && a === b) {
      lines.push(`  ${a}`);
      left += 1;
      right += 1;
    } else if (
      a !== undefined &&
      (b === undefined || at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      lines.push(`- ${a}`);
      left += 1;
    } else {
      lines.push(`+ ${b ?? ''}`);
      right += 1;
    }
  }
  return lines;
}

/** Returns the number of common lines of both remainders, by the positions where the remainders begin. */
function lengths(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const table: number[][] = Array.from({ length: old.length + 1 }, () => []);
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = now.length - 1; right >= 0; right -= 1) {
      const row = table[left] ?? [];
      row[right] =
        old[left] === now[right]
          ? at(table, left + 1, right + 1) + 1
          : Math.max(at(table, left + 1, right), at(table, left, right + 1));
    }
  return table;
}

function at(table: readonly (readonly number[])[], left: number, right: number): number {
  return table[left]?.[right] ?? 0;
}
