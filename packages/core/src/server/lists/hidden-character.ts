import { hiddenCharacter, isRecord } from '@mcpmux/kit';
import type { Definition } from './definition.js';

/** Returns the first invisible character in the strings of a definition, such as `U+202E`. */
export function hiddenCharacterIn({ bytes }: Definition): string | undefined {
  // Most definitions are plain ASCII, which has no invisible characters, so this check saves the parsing.
  return isPlain(bytes) ? undefined : firstIn(JSON.parse(bytes.toString('utf8')));
}

const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

function isPlain(bytes: Buffer): boolean {
  return bytes.every((byte, index) => byte < 0x7f && !(byte === SMALL_U && bytes[index - 1] === BACKSLASH));
}

function firstIn(value: unknown): string | undefined {
  if (typeof value === 'string') return hiddenCharacter(value);
  const parts = isRecord(value) ? [...Object.keys(value), ...Object.values(value)] : value;
  if (!Array.isArray(parts)) return undefined;
  for (const part of parts) {
    const found = firstIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
