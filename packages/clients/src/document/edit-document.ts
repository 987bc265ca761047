import { isDeepStrictEqual } from 'node:util';

import { isObject, objectAt, valueAt, withValue, type JsonObject } from '../json/json-object.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError } from './document-error.js';

/**
 * Checks that servers can be stored at a key path: every value on it must be an object, `null`, or absent.
 *
 * @throws DocumentError with the position of the first other value
 */
export function checkObjectPath(
  editor: DocumentEditor,
  text: string,
  document: JsonObject,
  path: readonly string[],
): void {
  for (let length = 1; length <= path.length; length += 1) {
    const ancestor = path.slice(0, length);
    const value = valueAt(document, ancestor);
    if (value === undefined || value === null) return;
    if (!isObject(value)) {
      const kind = Array.isArray(value) ? 'a list' : `a ${typeof value}`;
      throw new DocumentError(
        `${ancestor.join('.')}: expected an object of servers by name, not ${kind}`,
        editor.positionOf(text, ancestor),
      );
    }
  }
}

/**
 * Sets the value at a path, or removes it if `value` is undefined, and verifies that nothing else has changed.
 *
 * @throws DocumentError if the document's structure cannot be edited safely
 */
export function editDocument(
  editor: DocumentEditor,
  text: string,
  path: readonly string[],
  value: unknown,
): string {
  const before = editor.parse(text);
  const parent = path.slice(0, -1);
  checkObjectPath(editor, text, before, parent);
  if (isDeepStrictEqual(toPlainJson(valueAt(before, path)), toPlainJson(value))) return text;
  const after = value === undefined ? editor.remove(text, path) : editor.set(text, path, value);
  const expected = toPlainJson(pruneEmptyServers(withValue(before, path, value), parent));
  const written = tryParse(editor, after);
  if (written !== undefined && isDeepStrictEqual(toPlainJson(pruneEmptyServers(written, parent)), expected))
    return after;
  throw new DocumentError('mcpmux cannot edit this layout without changing other parts of the file');
}

/** Returns the parsed document, or undefined if an edit has broken it, for example by removing an anchor. */
function tryParse(editor: DocumentEditor, text: string): JsonObject | undefined {
  try {
    return editor.parse(text);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Removes an empty or `null` servers object, so that it compares equal to an absent one. */
function pruneEmptyServers(document: JsonObject, parent: readonly string[]): JsonObject {
  const servers = objectAt(document, parent);
  return valueAt(document, parent) === null || (servers !== undefined && Object.keys(servers).length === 0)
    ? withValue(document, parent, undefined)
    : document;
}

/** Converts a parsed value to plain JSON, because parsers also return dates and objects without a prototype. */
function toPlainJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
