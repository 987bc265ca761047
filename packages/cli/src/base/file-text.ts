import { readFileSync } from 'node:fs';

/** Returns the text of a UTF-8 file, or undefined if the file cannot be read. */
export function readFileText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
