import type { Node } from 'jsonc-parser';

import type { NewProperty } from './json-lines.js';
import { COMMA, oneLine } from './json-text.js';
import { nodeAt } from './json-tree.js';

/** Adds a property to an object behind the last one, on its line. Nothing else is touched. */
export function insertWithin(text: string, parent: Node, { name, value }: NewProperty): string {
  const property = `${JSON.stringify(name)}: ${oneLine(value)}`;
  const last = parent.children?.at(-1);
  if (last !== undefined) {
    const end = last.offset + last.length;
    return `${text.slice(0, end)}, ${property}${text.slice(end)}`;
  }
  const [start, end] = [parent.offset + 1, parent.offset + parent.length - 1];
  const comment = text.slice(start, end).trimEnd();
  return `${text.slice(0, start)}${comment} ${property} ${text.slice(end)}`;
}

/**
 * Takes a property away from an object, with one comma. Nothing else is touched.
 *
 * @returns undefined where there is none
 */
export function removeWithin(text: string, path: readonly string[]): string | undefined {
  const node = nodeAt(text, path)?.parent;
  const siblings = node?.parent?.children;
  if (node?.type !== 'property' || siblings === undefined) return undefined;
  const end = node.offset + node.length;
  const previous = siblings[siblings.indexOf(node) - 1];
  if (previous !== undefined && siblings.at(-1) === node) {
    const previousEnd = previous.offset + previous.length;
    const kept = text.slice(previousEnd, node.offset).replace(COMMA, '$1');
    const behind = text.slice(end);
    // A comment to the end of its line needs that end.
    const isEnded = !kept.includes('//') || /^[ \t]*\r?\n/.test(behind);
    return text.slice(0, previousEnd) + (isEnded ? kept.trimEnd() : kept) + behind;
  }
  const own = COMMA.exec(text.slice(end));
  if (own === null) return emptied(text.slice(0, node.offset), text.slice(end));
  const behind = text.slice(end + own[0].length).replace(/^[ \t]+/, '');
  return text.slice(0, node.offset) + (own[1] ?? '').trimStart() + behind;
}

function emptied(before: string, after: string): string {
  const isEmpty = before.trimEnd().endsWith('{') && after.trimStart().startsWith('}');
  return isEmpty ? before.trimEnd() + after.trimStart() : before + after;
}
