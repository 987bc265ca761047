import {
  applyEdits,
  getNodeValue,
  modify,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';

import { insertLines, removeLines, type JsonLayout } from './json-lines.js';
import { insertWithin, removeWithin } from './json-one-line.js';
import { isObject, valueAt, type JsonObject } from './json-object.js';
import { DocumentError, type DocumentEditor } from './server-document.js';

/** JSON with comments and trailing commas. */
export const jsonEditor: DocumentEditor = {
  parse,
  set,
  remove: (text, path) =>
    removeLines(text, path) ?? removeWithin(text, path) ?? modified(text, path, undefined),
  render: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
};

function parse(text: string): JsonObject {
  if (text.trim() === '') return {};
  const faults: ParseError[] = [];
  const root = parseTree(withoutMark(text), faults, { allowTrailingComma: true });
  const [fault] = faults;
  if (fault !== undefined) {
    throw new DocumentError(
      `not valid JSON: ${printParseErrorCode(fault.error)}`,
      positionAt(text, fault.offset),
    );
  }
  const value: unknown = root === undefined ? undefined : getNodeValue(root);
  if (!isObject(value)) throw new DocumentError('expected an object', { line: 1, column: 1 });
  return value;
}

function set(text: string, path: readonly string[], value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const isThere = valueAt(parse(source), path) !== undefined;
  if (isThere) return modified(source, path, value);
  return (
    insertWithin(source, path, value) ??
    insertLines(source, path, value, layoutOf(source)) ??
    modified(source, path, value)
  );
}

/** Formats what is changed, and what shares lines with it. */
function modified(text: string, path: readonly string[], value: unknown): string {
  const { indent, eol } = layoutOf(text);
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol };
  const after = applyEdits(text, modify(text, [...path], value, { formattingOptions }));
  // The formatter takes the line break at the end away.
  return text.endsWith('\n') && !after.endsWith('\n') ? `${after}${eol}` : after;
}

/** The file goes on as it is indented now. */
function layoutOf(text: string): JsonLayout {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Editors on Windows leave a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}

function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
