import type { DocumentEditor } from '../clients/server-document.js';
import { maskedLine, secretValues } from '../clients/secret-values.js';
import { lineDiff } from '../terminal/line-diff.js';

/** What changes in a document, line by line, without the values of variables and headers. */
export function shownDiff(editor: DocumentEditor, before: string, after: string): readonly string[] {
  const secrets = [before, after].flatMap((text) => secretValues(editor.parse(text)));
  return lineDiff(before, after).map((line) => maskedLine(line, secrets));
}
