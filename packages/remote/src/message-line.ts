import { withoutMark } from '@mcpmux/wire';

import { MIN_FIRST_PART_BYTES, type LineParts } from './line-parts.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BLANK_TEXT = /^[ \t]*$/;

/**
 * Returns a JSON text as one line. Replaces line breaks, which in JSON occur only between tokens, with spaces in place.
 * All other bytes are unchanged. Returns undefined for a blank text.
 */
export function messageLine(parts: LineParts): LineParts | undefined {
  const [first = Buffer.alloc(0)] = parts;
  const beginning = withoutMark(first);
  const line = beginning === first && parts.length > 0 ? parts : [beginning, ...parts.slice(1)];
  for (const part of line) replaceLineBreaks(part);
  // A longer text is never treated as blank.
  const isBlank =
    line.length === 1 && first.length <= MIN_FIRST_PART_BYTES && BLANK_TEXT.test(String(line[0]));
  return isBlank ? undefined : line;
}

function replaceLineBreaks(text: Buffer): void {
  for (const lineBreak of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = text.indexOf(lineBreak); at !== -1; at = text.indexOf(lineBreak, at + 1)) text[at] = SPACE;
}
