import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';

/** How a JSON file is laid out. */
export interface JsonLayout {
  /** One level. */
  readonly indent: string;
  readonly eol: string;
}

/**
 * Adds a property as lines of its own behind the last one, whose comment stays with it. Nothing else is touched.
 *
 * @returns undefined when the object is not laid out in lines, or has no properties
 */
export function insertLines(
  text: string,
  path: readonly string[],
  value: unknown,
  { indent, eol }: JsonLayout,
): string | undefined {
  const parent = nodeAt(text, path.slice(0, -1));
  const last = parent?.type === 'object' ? parent.children?.at(-1) : undefined;
  if (parent === undefined || last === undefined) return undefined;
  const end = last.offset + last.length;
  const rest = restOfLine(text, end);
  const isWholeLine = /^\s*,?\s*(?:\/\/.*|\/\*[^*]*\*\/\s*)?$/.test(rest);
  const margin = marginOf(text, last.offset);
  if (!isWholeLine || margin === undefined) return undefined;
  const hasComma = /^\s*,/.test(rest);
  const comma = hasComma ? '' : ',';
  const body = JSON.stringify(value, undefined, indent)
    .split('\n')
    .join(eol + margin);
  const block = `${eol}${margin}${JSON.stringify(path.at(-1))}: ${body}${hasComma ? ',' : ''}`;
  return text.slice(0, end) + comma + rest + block + text.slice(end + rest.length);
}

/**
 * Takes a property away with its lines, and the comma before it where it was the last. Nothing else is touched.
 *
 * @returns undefined when it shares a line with another
 */
export function removeLines(text: string, path: readonly string[]): string | undefined {
  const node = nodeAt(text, path)?.parent;
  const siblings = node?.parent?.children;
  if (node?.type !== 'property' || siblings === undefined || marginOf(text, node.offset) === undefined)
    return undefined;
  const start = text.lastIndexOf('\n', node.offset) + 1;
  const end = node.offset + node.length;
  const rest = restOfLine(text, end);
  if (!/^\s*,?\s*(?:\/\/.*)?$/.test(rest)) return undefined;
  const after = text.slice(Math.min(text.length, end + rest.length + lineBreakAt(text, end + rest.length)));
  const before = text.slice(0, start);
  const previous = siblings[siblings.indexOf(node) - 1];
  if (previous === undefined || siblings.at(-1) !== node || /^\s*,/.test(rest)) return before + after;
  const previousEnd = previous.offset + previous.length;
  return before.slice(0, previousEnd) + before.slice(previousEnd).replace(',', '') + after;
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

/** What stands before an offset on its line, when that is nothing but space. */
function marginOf(text: string, offset: number): string | undefined {
  const margin = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
  return /^[ \t]*$/.test(margin) && text.lastIndexOf('\n', offset) >= 0 ? margin : undefined;
}

function restOfLine(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const line = end < 0 ? text.slice(offset) : text.slice(offset, end);
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function lineBreakAt(text: string, offset: number): number {
  return text.startsWith('\r\n', offset) ? 2 : 1;
}
