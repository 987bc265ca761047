import { parse as parseToml, stringify, TomlError } from 'smol-toml';

import { isObject, withValue, type JsonObject } from '../json/json-object.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError } from './document-error.js';

/** Edits TOML. Appends and removes tables as text, so that other tables keep their comments and order. */
export const tomlEditor: DocumentEditor = {
  parse,
  set: (text, path, value) => appendTable(removeTables(text, path), path, value),
  remove: removeTables,
  positionOf: (text, [key = '']) => {
    const line = text.split('\n').findIndex((row) => /^\s*([\w-]+)\s*=/.exec(row)?.[1] === key);
    return line < 0 ? undefined : { line: line + 1, column: 1 };
  },
  render: (value) => `${stringify(value).trim()}\n`,
};

const TABLE_HEADER = /^\s*\[\[?(?<key>[^\]#]+)\]\]?\s*(?:#.*)?$/;
const KEY_PART = /\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|'(?<literal>[^']*)'|(?<bare>[\w-]+))\s*(?:\.|$)/y;

function parse(text: string): JsonObject {
  try {
    const value: unknown = parseToml(text);
    return isObject(value) ? value : {};
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ''] = error.message.split('\n', 1);
    throw new DocumentError(`not valid TOML: ${message}`, { line: error.line, column: error.column });
  }
}

function appendTable(text: string, path: readonly string[], value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const block = stringify(withValue({}, path, value))
    .trim()
    .split('\n')
    .join(eol);
  if (text === '') return `${block}${eol}`;
  const end = text.endsWith('\n') ? '' : eol;
  return `${text}${end}${eol}${block}${eol}`;
}

/** Removes the table at the path and its subtables, but not the comments before the next table. */
function removeTables(text: string, path: readonly string[]): string {
  const lines = text.split('\n');
  const keptLines: string[] = [];
  let pending: string[] = [];
  let isInside = false;
  for (const line of lines) {
    const key = headerKeyPath(line);
    if (key !== undefined) isInside = path.every((part, index) => key[index] === part);
    if (!isInside) {
      keptLines.push(...pending, line);
      pending = [];
    } else pending = /^\s*(?:#.*)?$/.test(line) ? [...pending, line] : [];
  }
  const rest = [...keptLines, ...pending].join('\n');
  // `appendTable` adds a blank line before a table, so remove that line together with the last table.
  return isInside && pending.every((line) => line.trim() === '') ? rest.replace(/(^|\n)\r?\n$/, '$1') : rest;
}

function headerKeyPath(line: string): readonly string[] | undefined {
  const key = TABLE_HEADER.exec(line)?.groups?.['key'];
  if (key === undefined) return undefined;
  return [...key.matchAll(new RegExp(KEY_PART, 'gy'))].map(
    ({ groups }) => groups?.['quoted'] ?? groups?.['literal'] ?? groups?.['bare'] ?? '',
  );
}
