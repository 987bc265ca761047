import { win32 } from 'node:path';

/**
 * Returns the absolute path of a program that is part of Windows, below `System32`. Windows would search for a bare
 * name in the working directory first.
 */
export function systemProgram(
  environment: Readonly<Record<string, string | undefined>>,
  ...names: readonly string[]
): string {
  return win32.join(environment['SystemRoot'] || 'C:\\Windows', 'System32', ...names);
}
