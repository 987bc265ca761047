import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';

import { isObject, withValue, type JsonObject } from '../json/json-object.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError, positionAt } from './document-error.js';
import { insertProperty, removeProperty, replaceValue } from './json-property.js';

/**
 * Edits JSON with comments and trailing commas as text, so that no other byte changes. jsonc-parser's `modify` would
 * remove the comments between two properties, and its formatter would change the layout of whole lines.
 */
export const jsonEditor: DocumentEditor = {
  parse,
  set,
  remove: (text, path) => {
    const property = nodeAt(text, path)?.parent;
    return property?.type === 'property' ? removeProperty(text, property) : text;
  },
  positionOf: (text, path) => {
    const node = nodeAt(text, path);
    return node === undefined ? undefined : positionAt(text, node.parent?.offset ?? node.offset);
  },
  render: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
};

function parse(text: string): JsonObject {
  if (text.trim() === '') return {};
  const faults: ParseError[] = [];
  const root = parseJsonTree(text, faults);
  const [fault] = faults;
  if (fault !== undefined) {
    const message = `not valid JSON: ${printParseErrorCode(fault.error)}`;
    throw new DocumentError(message, positionAt(text, fault.offset));
  }
  const value: unknown = root === undefined ? undefined : getNodeValue(root);
  if (!isObject(value)) throw new DocumentError('expected an object', { line: 1, column: 1 });
  return value;
}

/** Sets the value, and creates missing objects on the path. Replaces a value on the path that is not an object. */
function set(source: string, path: readonly string[], value: unknown): string {
  const text = source.trim() === '' ? '{}\n' : source;
  let length = path.length;
  while (length > 0 && nodeAt(text, path.slice(0, length)) === undefined) length -= 1;
  const node = nodeAt(text, path.slice(0, length));
  if (node === undefined) return text;
  const [name, ...inner] = path.slice(length);
  if (name === undefined) return replaceValue(text, node, value);
  const property = withValue({}, [name, ...inner], value);
  return node.type === 'object'
    ? insertProperty(text, node, name, property[name])
    : replaceValue(text, node, property);
}

function nodeAt(text: string, path: readonly string[]): Node | undefined {
  const root = parseJsonTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

/** Parses JSON. Replaces a byte order mark with a space, so that all offsets stay valid. */
function parseJsonTree(text: string, faults: ParseError[] = []): Node | undefined {
  return parseTree(text.replace(/^\uFEFF/, ' '), faults, { allowTrailingComma: true });
}
