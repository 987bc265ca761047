import { isObject, type DocumentEditor } from '@mcpmux/clients';
import { OWN_NAME } from '@mcpmux/config/find';
import { structuredPatch } from 'diff';
import { redactFileLine } from '../redact/file-line.js';
import { visibleEntryWords } from '../redact/open-words.js';

/** The maximum length of a line. A longer line is probably a whole document, which is unreadable in a diff. */
const MAX_LINE_LENGTH = 300;

/**
 * Returns the diff of a document. Hides the values in unchanged servers and in other settings.
 *
 * @param enteredWords values to show, because the user has entered them
 */
export function redactedDiff(
  editor: DocumentEditor,
  before: string,
  after: string,
  enteredWords: readonly string[] = [],
): readonly string[] {
  const [old, updated] = [editor.parse(before), editor.parse(after)];
  const visibleWords = new Set([
    ...ownCommandWords(updated),
    ...visibleEntryWords(old, updated),
    ...enteredWords,
  ]);
  const lines = lineDiff(before, after);
  const isReadable = lines.every((line) => line.length <= MAX_LINE_LENGTH);
  const shown = isReadable ? lines : lineDiff(editor.render(old), editor.render(updated));
  return shown.map((line) => `${line.slice(0, 1)}${redactFileLine(line.slice(1), visibleWords)}`);
}

/** Returns the commands and arguments of all entries named `mcpmux`, at any depth. */
function ownCommandWords(document: unknown): readonly string[] {
  if (Array.isArray(document)) return document.flatMap(ownCommandWords);
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([key, value]) =>
    key === OWN_NAME && isObject(value)
      ? [value['command'], value['cmd'], value['args']].flat().filter((word) => typeof word === 'string')
      : ownCommandWords(value),
  );
}

/**
 * Returns the lines that differ, with three lines of context. Each of them begins with a space, `-` or `+`. A line with
 * `…` separates distant changes. Returns an empty list if the texts are equal.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3, stripTrailingCr: true });
  const changes = hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')));
  return changes.flatMap((lines, index) => (index === 0 ? lines : ['…'].concat(lines)));
}
