import { parseDocument, stringify, YAMLParseError, type Document, type ParseOptions } from 'yaml';

import { isObject } from '../json/json-object.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError, positionAt } from './document-error.js';
import { entryAt, removeEntry, setEntry } from './yaml-entry.js';

/** Without `intAsBigInt`, a large integer would lose precision when its mapping is printed again. */
const EDIT_OPTIONS: ParseOptions = { intAsBigInt: true };

/** Edits YAML by adding and removing whole lines. Reformats only a flow mapping (`{…}`) that it edits. */
export const yamlEditor: DocumentEditor = {
  parse: (text) => {
    const value = parseYamlValue(text);
    if (value === null || value === undefined) return {};
    if (!isObject(value)) throw new DocumentError('expected a mapping', { line: 1, column: 1 });
    return value;
  },
  set: (text, path, value) => setEntry(text, parseYamlDocument(text, EDIT_OPTIONS), path, value),
  remove: (text, path) => removeEntry(text, parseYamlDocument(text, EDIT_OPTIONS), path),
  positionOf: (text, path) => {
    const entry = entryAt(text, parseYamlDocument(text), path);
    return entry === undefined ? undefined : positionAt(text, entry.start);
  },
  render: (value) => stringify(value, { lineWidth: 0 }),
};

function parseYamlValue(text: string): unknown {
  const document = parseYamlDocument(text);
  try {
    return document.toJS();
  } catch (error) {
    // The document has an alias without an anchor, or exceeds the parser's limit on aliases.
    if (error instanceof ReferenceError) throw new DocumentError(`not valid YAML: ${error.message}`);
    throw error;
  }
}

/** @throws DocumentError with the position of the first syntax error */
function parseYamlDocument(text: string, options?: ParseOptions): Document.Parsed {
  const document = parseDocument(text, options);
  const [fault] = document.errors;
  if (!(fault instanceof YAMLParseError)) return document;
  const [message = ''] = fault.message.split('\n', 1);
  const [start] = fault.linePos ?? [];
  throw new DocumentError(`not valid YAML: ${message}`, start && { line: start.line, column: start.col });
}
