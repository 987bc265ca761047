import {
  applyEdits,
  getNodeValue,
  modify,
  parseTree,
  printParseErrorCode,
  type FormattingOptions,
  type ParseError,
} from 'jsonc-parser';

import { isObject, type JsonObject } from './json-object.js';
import { DocumentError, type DocumentEditor } from './server-document.js';

/** JSON with comments and trailing commas. */
export const jsonEditor: DocumentEditor = {
  parse,
  set: (text, path, value) => edit(text, path, value),
  remove: (text, path) => edit(text, path, undefined),
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

function edit(text: string, path: readonly string[], value: unknown): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const after = applyEdits(
    source,
    modify(source, [...path], value, { formattingOptions: formattingOf(source) }),
  );
  // The formatter takes the line break at the end away.
  return source.endsWith('\n') && !after.endsWith('\n') ? `${after}\n` : after;
}

/** The file goes on as it is indented now. */
function formattingOf(text: string): FormattingOptions {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol,
  };
}

/** Editors on Windows leave a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
}

function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
