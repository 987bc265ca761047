const CONTEXT = 3;

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
    ...before.slice(start, before.length - end).map((text): Edit => ['-', text]),
    ...after.slice(start, after.length - end).map((text): Edit => ['+', text]),
    ...before.slice(before.length - end).map(same),
  ];
}
