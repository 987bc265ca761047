import { isMap, isScalar, parseDocument, stringify, YAMLParseError, type Document, type YAMLMap } from 'yaml';

import { isObject, withValue, type JsonObject } from './json-object.js';
import { DocumentError, type DocumentEditor } from './server-document.js';

/** YAML: entries are put in and cut out as text, so that the rest keeps its comments and layout. */
export const yamlEditor: DocumentEditor = {
  parse: (text) => {
    const value: unknown = documentOf(text).toJS();
    if (value === null || value === undefined) return {};
    if (!isObject(value)) throw new DocumentError('expected a mapping', { line: 1, column: 1 });
    return value;
  },
  set: (text, path, value) => insert(remove(text, path), path, value),
  remove,
  render: (value) => stringify(value),
};

function documentOf(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (!(fault instanceof YAMLParseError)) return document;
  const [message = ''] = fault.message.split('\n', 1);
  const [start] = fault.linePos ?? [];
  throw new DocumentError(`not valid YAML: ${message}`, start && { line: start.line, column: start.col });
}

/** Right after the line of the parent's key: what follows, comments included, stays together. */
function insert(text: string, path: readonly string[], value: unknown): string {
  const parent = path.slice(0, -1);
  const name = path.at(-1) ?? '';
  const document = documentOf(text);
  const servers: unknown = document.getIn(parent, true);
  const first = isMap(servers) && servers.flow !== true ? keyOffset(servers, 0) : undefined;
  const parentKey = parentOffset(document, parent);
  if (first === undefined || parentKey === undefined) return insertWhole(text, document, path, value);
  const indent = first - lineStart(text, first);
  const block = stringify({ [name]: value }).trimEnd();
  const at = lineEnd(text, parentKey);
  return `${text.slice(0, at)}${indented(block, indent)}\n${text.slice(at)}`;
}

/** There is no list of servers yet, or an empty one. */
function insertWhole(
  text: string,
  document: Document.Parsed,
  path: readonly string[],
  value: unknown,
): string {
  const parent = path.slice(0, -1);
  if (document.hasIn(parent)) {
    document.setIn(
      parent,
      document.createNode({ ...toObject(document.getIn(parent)), [path.at(-1) ?? '']: value }),
    );
    return document.toString({ lineWidth: 0 });
  }
  const before = text.trimEnd();
  const block = stringify(withValue({}, path, value)).trimEnd();
  return before === '' ? `${block}\n` : `${before}\n${block}\n`;
}

function remove(text: string, path: readonly string[]): string {
  const document = documentOf(text);
  const servers: unknown = document.getIn(path.slice(0, -1), true);
  if (!isMap(servers) || !document.hasIn(path)) return text;
  const index = servers.items.findIndex(({ key }) => isScalar(key) && key.value === path.at(-1));
  const start = keyOffset(servers, index);
  const value: unknown = servers.items[index]?.value;
  const end = isMap(value) || isScalar(value) ? value.range?.[1] : undefined;
  if (start === undefined || end === undefined || servers.flow === true || servers.items.length === 1) {
    document.deleteIn(path);
    return document.toString({ lineWidth: 0 });
  }
  return text.slice(0, lineStart(text, start)) + text.slice(lineEnd(text, Math.max(start, end - 1)));
}

function keyOffset(map: YAMLMap, index: number): number | undefined {
  const key: unknown = map.items[index]?.key;
  return isScalar(key) ? key.range?.[0] : undefined;
}

function parentOffset(document: Document.Parsed, parent: readonly string[]): number | undefined {
  const [name] = parent;
  if (parent.length !== 1 || !isMap(document.contents)) return undefined;
  const index = document.contents.items.findIndex(({ key }) => isScalar(key) && key.value === name);
  return keyOffset(document.contents, index);
}

function toObject(value: unknown): JsonObject {
  const plain: unknown = isMap(value) ? value.toJSON() : {};
  return isObject(plain) ? plain : {};
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function indented(block: string, spaces: number): string {
  return block
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(spaces) + line))
    .join('\n');
}
