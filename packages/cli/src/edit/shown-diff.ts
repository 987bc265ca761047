import { isObject, type DocumentEditor } from '@mcpmux/clients';
import { OWN_NAME } from '@mcpmux/config/find';
import { structuredPatch } from 'diff';
import { redactFileLine } from '../redact/file-line.js';
import { visibleEntryWords } from '../redact/open-words.js';

/** The maximum length of a diff line. A longer one is probably a minified document, which is then reformatted. */
const MAX_LINE_LENGTH = 300;

/**
 * Returns a document's diff for display. Masks values, except mcpmux's own command and the non-secret values of changed
 * servers.
 *
 * @param enteredWords values that stay visible, because the user entered them
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

/** Returns the changed lines with three lines of context, after a space, `-` or `+`. `…` separates distant changes. */
export function lineDiff(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3, stripTrailingCr: true });
  const changes = hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')));
  return changes.flatMap((lines, index) => (index === 0 ? lines : ['…'].concat(lines)));
}
