import { getNodeValue, printParseErrorCode, type ParseError } from 'jsonc-parser';

import { inLines, insertLines, removeLines, type JsonLayout } from './json-lines.js';
import { isObject, valueAt, withValue, type JsonObject } from '../json/json-object.js';
import { insertWithin, removeWithin } from './json-one-line.js';
import { oneLine } from './json-text.js';
import { deepestNode, isBroken, lineMargin, nodeAt, treeOf } from './json-tree.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError, positionAt } from './document-error.js';

/** JSON with comments and trailing commas. Edits are made in the text: no other byte changes. */
export const jsonEditor: DocumentEditor = {
  parse,
  set,
  remove: (text, path) => removeLines(text, path) ?? removeWithin(text, path) ?? text,
  positionOf: (text, path) => {
    const node = nodeAt(text, path);
    return node === undefined ? undefined : positionAt(text, node.parent?.offset ?? node.offset);
  },
  render: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
};

function parse(text: string): JsonObject {
  if (text.trim() === '') return {};
  const faults: ParseError[] = [];
  const root = treeOf(text, faults);
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
  if (valueAt(parse(source), path) !== undefined) return replaced(source, path, value);
  const deepest = deepestNode(source, path);
  if (deepest === undefined) return source;
  const [name = '', ...inner] = deepest.rest;
  const property = { name, value: inner.length === 0 ? value : withValue({}, inner, value) };
  const { node } = deepest;
  if (node.type !== 'object') {
    const above = path.slice(0, path.length - deepest.rest.length);
    return replaced(source, above, withValue({}, [name], property.value));
  }
  return insertLines(source, node, property, layoutOf(source)) ?? insertWithin(source, node, property);
}

/** In lines, unless what it stands in is on one line. */
function replaced(text: string, path: readonly string[], value: unknown): string {
  const node = nodeAt(text, path);
  if (node === undefined) return text;
  const around = node.parent?.parent;
  const isInLines = around === undefined || isBroken(text, around);
  const layout = layoutOf(text);
  const written = isInLines ? inLines(value, lineMargin(text, node.offset), layout) : oneLine(value);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

/** The file goes on as it is indented now. */
function layoutOf(text: string): JsonLayout {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
