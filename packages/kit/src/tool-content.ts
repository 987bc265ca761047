import { isRecord } from './is-record.js';

/** A block of content, unchecked. */
export type Block = Readonly<Record<string, unknown>>;

/**
 * Returns the blocks of the content of a tool's result, or of a prompt's message. All code that reads parsed results
 * uses this function, so that it alone knows the form of a result.
 */
export function contentBlocks(result: unknown): readonly Block[] {
  const content = isRecord(result) ? result['content'] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.filter(isRecord);
}

/** Returns the texts in the content of a tool's result. */
export function contentTexts(result: unknown): readonly string[] {
  return contentBlocks(result).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}
