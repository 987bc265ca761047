import { COMMA } from './json-text.js';
import { nodeAt, isBroken, lineMargin, marginOf } from './json-tree.js';
import type { Node } from 'jsonc-parser';

/** How a JSON file is laid out. */
export interface JsonLayout {
  /** One level. */
  readonly indent: string;
  readonly eol: string;
}

/** A property that is put in. */
export interface NewProperty {
  readonly name: string;
  readonly value: unknown;
}

/** A value over several lines, as it stands behind a key that is indented so. */
export function inLines(value: unknown, margin: string, { indent, eol }: JsonLayout): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').split('\n').join(eol + margin);
}

/**
 * Adds a property as lines of its own behind the last one, whose comment stays with it. Nothing else is touched.
 *
 * @returns undefined when the object is not laid out in lines
 */
export function insertLines(
  text: string,
  parent: Node,
  { name, value }: NewProperty,
  layout: JsonLayout,
): string | undefined {
  const last = parent.children?.at(-1);
  if (last === undefined) return insertFirstLine(text, parent, { name, value }, layout);
  const end = last.offset + last.length;
  const rest = restOfLine(text, end);
  const isWholeLine = /^\s*,?\s*(?:\/\/.*|\/\*[^*]*\*\/\s*)?$/.test(rest);
  const margin = marginOf(text, last.offset);
  if (!isWholeLine || margin === undefined || !isBroken(text, parent)) return undefined;
  const hasComma = /^\s*,/.test(rest);
  const property = `${JSON.stringify(name)}: ${inLines(value, margin, layout)}`;
  const block = `${layout.eol}${margin}${property}${hasComma ? ',' : ''}`;
  return text.slice(0, end) + (hasComma ? '' : ',') + rest + block + text.slice(end + rest.length);
}

/** Comments in an object without properties stay before the first one. */
function insertFirstLine(
  text: string,
  parent: Node,
  { name, value }: NewProperty,
  layout: JsonLayout,
): string | undefined {
  const start = parent.offset + 1;
  const end = parent.offset + parent.length - 1;
  const isOnLineOfParent = parent.parent?.parent !== undefined && !isBroken(text, parent.parent.parent);
  if (isOnLineOfParent) return undefined;
  const margin = lineMargin(text, parent.offset);
  const inner = margin + layout.indent;
  const before = text.slice(0, start) + text.slice(start, end).trimEnd();
  const property = `${JSON.stringify(name)}: ${inLines(value, inner, layout)}`;
  return `${before}${layout.eol}${inner}${property}${layout.eol}${margin}${text.slice(end)}`;
}

/**
 * Takes a property away with its lines, and the comma before it where it was the last. Nothing else is touched.
 *
 * @returns undefined when it shares a line with another
 */
export function removeLines(text: string, path: readonly string[]): string | undefined {
  const node = nodeAt(text, path)?.parent;
  const siblings = node?.parent?.children;
  if (node?.type !== 'property' || siblings === undefined || node.parent === undefined) return undefined;
  if (marginOf(text, node.offset) === undefined || !startsLine(text, node.offset)) return undefined;
  const start = text.lastIndexOf('\n', node.offset) + 1;
  const end = node.offset + node.length;
  const rest = restOfLine(text, end);
  if (!/^\s*,?\s*(?:\/\/.*)?$/.test(rest)) return undefined;
  const after = text.slice(Math.min(text.length, end + rest.length + lineBreakAt(text, end + rest.length)));
  const before = text.slice(0, start);
  if (/^\s*,/.test(rest)) return joined(before, after);
  // The comma stands on another line.
  if (siblings.at(-1) !== node || COMMA.test(text.slice(end))) return undefined;
  const previous = siblings[siblings.indexOf(node) - 1];
  if (previous === undefined) return joined(before, after);
  const previousEnd = previous.offset + previous.length;
  return before.slice(0, previousEnd) + before.slice(previousEnd).replace(COMMA, '$1') + after;
}

/** An object that has become empty, and holds no comment, closes where it opens. */
function joined(before: string, after: string): string {
  const close = /^\s*\}/.exec(after)?.[0];
  return before.trimEnd().endsWith('{') && close !== undefined
    ? `${before.trimEnd()}}${after.slice(close.length)}`
    : before + after;
}

function startsLine(text: string, offset: number): boolean {
  return text.lastIndexOf('\n', offset) >= 0;
}

function restOfLine(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  const line = end < 0 ? text.slice(offset) : text.slice(offset, end);
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function lineBreakAt(text: string, offset: number): number {
  return text.startsWith('\r\n', offset) ? 2 : 1;
}
