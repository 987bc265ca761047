import type { Node } from 'jsonc-parser';

import { isObject } from '../json/json-object.js';

/** Matches a comma and any white space and comments before it. */
const COMMA = /^((?:\s|\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/)*),/;
/** Matches an optional comma and comment between the last property on a line and the line break. */
const PROPERTY_LINE_END = /^[ \t]*(,?)[ \t]*(?:\/\/[^\r\n]*|\/\*[^*\n]*\*\/[ \t]*)?(?=\r?\n)/;

/** Returns the text with a value replaced. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  const object = node.parent?.parent;
  const isMultiLine = object === undefined || spansLines(text, object);
  const written = isMultiLine
    ? formatOnLines(text, value, marginOf(text, node.offset))
    : formatOnOneLine(value);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** Returns the text with a property added at the end of an object. It starts on a new line if the previous one does. */
export function insertProperty(text: string, object: Node, name: string, value: unknown): string {
  const last = object.children?.at(-1);
  const key = `${JSON.stringify(name)}: `;
  if (last === undefined) return insertFirstProperty(text, object, key, value);
  const end = last.offset + last.length;
  const [line, comma = ''] = PROPERTY_LINE_END.exec(text.slice(end)) ?? [];
  const margin = marginOf(text, last.offset);
  if (line === undefined || !isFirstOnLine(text, last.offset)) {
    return `${text.slice(0, end)}, ${key}${formatOnOneLine(value)}${text.slice(end)}`;
  }
  const property = `${lineBreakOf(text)}${margin}${key}${formatOnLines(text, value, margin)}${comma}`;
  const separator = comma === '' ? ',' : '';
  return text.slice(0, end) + separator + line + property + text.slice(end + line.length);
}

/** Adds a property to an empty object, after any comments in it. */
function insertFirstProperty(text: string, object: Node, key: string, value: unknown): string {
  const end = object.offset + object.length - 1;
  const before = text.slice(0, end).trimEnd();
  const around = object.parent?.parent;
  if (around !== undefined && !spansLines(text, around)) {
    return `${before} ${key}${formatOnOneLine(value)} ${text.slice(end)}`;
  }
  const eol = lineBreakOf(text);
  const outer = marginOf(text, object.offset);
  const inner = outer + indentOf(text);
  return `${before}${eol}${inner}${key}${formatOnLines(text, value, inner)}${eol}${outer}${text.slice(end)}`;
}

/** Returns the text without a property and one adjacent comma. Removes a line that becomes empty. Comments stay. */
export function removeProperty(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const before = text.slice(0, property.offset);
  const after = text.slice(property.offset + property.length);
  const isFirst = isFirstOnLine(text, property.offset);
  const hasComma = isFirst && PROPERTY_LINE_END.exec(after)?.[1] === ',';
  if (previous !== undefined && siblings.at(-1) === property && !hasComma) {
    const end = previous.offset + previous.length;
    const textBetween = before.slice(end).replace(COMMA, '$1');
    // A `//` comment needs a line break after it.
    const canJoinLines = !textBetween.includes('//') || /^[ \t]*\r?\n/.test(after);
    return (
      before.slice(0, end) +
      (canJoinLines ? textBetween.replace(/\r?\n[ \t]*$|[ \t]+$/, '') : textBetween) +
      after
    );
  }
  const rest = after.replace(COMMA, (_, comments: string) => comments.trimStart()).replace(/^[ \t]+/, '');
  if (before.trimEnd().endsWith('{') && rest.trimStart().startsWith('}')) {
    return before.trimEnd() + rest.trimStart();
  }
  const isBlank = isFirst && /^\r?\n/.test(rest);
  return isBlank ? before.replace(/[ \t]*$/, '') + rest.replace(/^\r?\n/, '') : before + rest;
}

/** Formats a value as indented JSON. `margin` is the indentation of the line with the value's key. */
function formatOnLines(text: string, value: unknown, margin: string): string {
  const written = JSON.stringify(value, undefined, indentOf(text)) ?? 'null';
  return written.replaceAll('\n', lineBreakOf(text) + margin);
}

/** Returns JSON on one line, with spaces after colons and commas and inside braces. */
function formatOnOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatOnOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}: ${formatOnOneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the indentation of the file's first indented line, or two spaces if there is none. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** Returns the spaces and tabs at the start of the line that contains the offset. */
function marginOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? '';
}

function isFirstOnLine(text: string, offset: number): boolean {
  return /\n[ \t]*$/.test(text.slice(0, offset));
}

function spansLines(text: string, { offset, length }: Node): boolean {
  return text.slice(offset, offset + length).includes('\n');
}
