import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Writes a Node.js program that can be started by its name on every system. On Windows, a batch file starts the
 * program.
 *
 * @param source a CommonJS module
 */
export function writeNodeProgram(folder: string, name: string, source: string): void {
  mkdirSync(folder, { recursive: true });
  if (process.platform === 'win32') {
    writeFileSync(join(folder, `${name}.cjs`), source);
    writeFileSync(join(folder, `${name}.cmd`), `@"${process.execPath}" "%~dp0${name}.cjs" %*\r\n`);
  } else writeFileSync(join(folder, name), `#!${process.execPath}\n${source}`, { mode: 0o755 });
}
