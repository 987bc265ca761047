import { structuredPatch } from 'diff';

/**
 * Returns the lines that differ, with three lines around them. Each line begins with a space, `-` or `+`. Empty if the
 * texts are equal.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3, stripTrailingCr: true });
  const changes = hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')));
  return changes.flatMap((lines, index) => (index === 0 ? lines : ['…'].concat(lines)));
}
