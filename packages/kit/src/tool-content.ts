import { isRecord } from './is-record.js';

/** A content block whose members have not been validated. */
export type Block = Readonly<Record<string, unknown>>;

/** Returns the content of a result that has this form, or undefined for any other result. */
export type ResultForm = (result: Block) => unknown;

/** One function for each supported form of result. A new form needs another function here. */
export const RESULT_FORMS: readonly ResultForm[] = [({ content }) => content];

/**
 * Returns the content blocks of a tool result or prompt message. Use this function wherever a parsed result is read.
 */
export function contentBlocks(result: unknown, forms = RESULT_FORMS): readonly Block[] {
  if (!isRecord(result)) return [];
  const content = forms.map((form) => form(result)).find((found) => found !== undefined);
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.filter(isRecord);
}

/** Returns the text of each text block in a tool result. */
export function contentTexts(result: unknown, forms = RESULT_FORMS): readonly string[] {
  return contentBlocks(result, forms).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}
