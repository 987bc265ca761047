import { readFileSync } from 'node:fs';

/** Returns the text of a file in UTF-8. Undefined if the file cannot be read. */
export function fileText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
