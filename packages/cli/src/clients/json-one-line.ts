import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';

/**
 * Adds a property to an object that is written on one line, when its value is no object or list. Nothing else is touched.
 *
 * @returns undefined for any other object
 */
export function insertWithin(text: string, path: readonly string[], value: unknown): string | undefined {
  const parent = nodeAt(text, path.slice(0, -1));
  const last = parent?.type === 'object' ? parent.children?.at(-1) : undefined;
  if (parent === undefined || last === undefined || typeof value === 'object') return undefined;
  const end = last.offset + last.length;
  const isPlain = /^\s*\}$/.test(text.slice(end, parent.offset + parent.length));
  if (!isPlain || isBroken(text, parent)) return undefined;
  return `${text.slice(0, end)}, ${JSON.stringify(path.at(-1))}: ${JSON.stringify(value)}${text.slice(end)}`;
}

/**
 * Takes a property away from an object that is written on one line and has others. Nothing else is touched.
 *
 * @returns undefined for any other object
 */
export function removeWithin(text: string, path: readonly string[]): string | undefined {
  const node = nodeAt(text, path)?.parent;
  const parent = node?.parent;
  if (node?.type !== 'property' || parent?.children === undefined || isBroken(text, parent)) return undefined;
  const index = parent.children.indexOf(node);
  const [previous, next] = [parent.children[index - 1], parent.children[index + 1]];
  const end = node.offset + node.length;
  const [from, to] =
    previous === undefined ? [node.offset, next?.offset ?? end] : [previous.offset + previous.length, end];
  const between = previous === undefined ? text.slice(end, to) : text.slice(from, node.offset);
  return /^\s*,\s*$/.test(between) ? text.slice(0, from) + text.slice(to) : undefined;
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function isBroken(text: string, { offset, length }: Node): boolean {
  return text.slice(offset, offset + length).includes('\n');
}
