const CONTEXT = 3;
const MAX_CELLS = 1_000_000;

type Edit = readonly [' ' | '-' | '+', string];

/** The lines that differ, with three around them, each beginning with a space, `-` or `+`. Empty when none do. */
export function lineDiff(before: string, after: string): readonly string[] {
  const edits = editsOf(linesOf(before), linesOf(after));
  const isNear = edits.map((_, index) =>
    edits.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([kind]) => kind !== ' '),
  );
  return edits.flatMap(([kind, text], index) => {
    if (isNear[index] === true) return [`${kind}${text}`];
    return isNear[index - 1] === true && isNear.includes(true, index) ? ['…'] : [];
  });
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** What is the same at both ends is set aside: changes of a config are in one place. */
function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): Edit => [' ', text];
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence; where that would take long, all old lines and then all new ones. */
function middle(before: readonly string[], after: readonly string[]): readonly Edit[] {
  if (before.length * after.length > MAX_CELLS) {
    return [...before.map((text): Edit => ['-', text]), ...after.map((text): Edit => ['+', text])];
  }
  const lengths = commonLengths(before, after);
  const edits: Edit[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, next] = [before[row], after[column]];
    if (old !== undefined && old === next) {
      edits.push([' ', old]);
      row += 1;
      column += 1;
    } else if (
      old !== undefined &&
      (next === undefined || lengthAt(lengths, row + 1, column) >= lengthAt(lengths, row, column + 1))
    ) {
      edits.push(['-', old]);
      row += 1;
    } else if (next !== undefined) {
      edits.push(['+', next]);
      column += 1;
    }
  }
  return edits;
}

/** Of what follows each pair of lines. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const lengths: number[][] = [];
  for (let row = before.length - 1; row >= 0; row -= 1) {
    const current: number[] = [];
    for (let column = after.length - 1; column >= 0; column -= 1) {
      current[column] =
        before[row] === after[column]
          ? lengthAt(lengths, row + 1, column + 1) + 1
          : Math.max(lengthAt(lengths, row + 1, column), current[column + 1] ?? 0);
    }
    lengths[row] = current;
  }
  return lengths;
}

function lengthAt(lengths: readonly (readonly number[])[], row: number, column: number): number {
  return lengths[row]?.[column] ?? 0;
}
