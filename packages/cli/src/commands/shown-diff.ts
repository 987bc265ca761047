import { isObject, type DocumentEditor } from '@mcpmux/clients';

import { redactFileLine } from '../redact/file-line.js';
import { OWN_NAME } from '../config/own-entry.js';
import { lineDiff } from '../terminal/line-diff.js';

/** The changed lines of a document. Values are hidden, except the command and arguments of mcpmux itself. */
export function shownDiff(editor: DocumentEditor, before: string, after: string): readonly string[] {
  const open = new Set(ownWords(editor.parse(after)));
  return lineDiff(before, after).map((line) => `${line.slice(0, 1)}${redactFileLine(line.slice(1), open)}`);
}

/** The words of the command lines in entries named `mcpmux`, at any key path. */
function ownWords(document: unknown): readonly string[] {
  if (Array.isArray(document)) return document.flatMap(ownWords);
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([key, value]) =>
    key === OWN_NAME && isObject(value)
      ? [value['command'], value['cmd'], value['args']].flat().filter((word) => typeof word === 'string')
      : ownWords(value),
  );
}
