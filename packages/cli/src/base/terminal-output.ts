import { Console } from 'node:console';
import { once } from 'node:events';
import process from 'node:process';

import { terminalText } from './terminal-text.js';

/*
 * All output to a terminal passes through this file. Commands print text from servers, config files and command lines,
 * so this file escapes control characters for all commands.
 */

/** Writes human-readable text or JSON to stdout, with control characters escaped. */
export function writeStdout(text: string): void {
  process.stdout.write(terminalText(text));
}

/** Writes human-readable text or JSON to stderr, with control characters escaped. */
export function writeStderr(text: string): void {
  process.stderr.write(terminalText(text));
}

/** Writes data to stdout. Escapes control characters only if stdout is a terminal. */
export function writeData(text: string): void {
  if (process.stdout.isTTY) writeStdout(text);
  else process.stdout.write(text);
}

/** Resolves when stdout can accept more data, usually immediately. */
export async function whenStdoutReady(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** Overwrites the current line on stderr. */
export function redrawStderrLine(line: string): void {
  process.stderr.write(`\r${terminalText(line)}\u001B[K`);
}

/** Properties of the streams stdout and stderr, and of their terminals. */
export const terminals = {
  get isStdoutTerminal(): boolean {
    return process.stdout.isTTY;
  },
  get isStderrTerminal(): boolean {
    return process.stderr.isTTY;
  },
  /** The width of the terminal on stdout, in columns. Infinite if stdout is not a terminal. */
  get columns(): number {
    return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  },
  /** The number of bytes that are buffered in this process and not yet written to stderr. */
  get bufferedStderrBytes(): number {
    return process.stderr.writableLength;
  },
};

/** Stderr as a stream, for libraries that require one. It escapes control characters. */
export const stderrStream = writeStreamFor(writeStderr);

/** Makes `console` escape control characters, and write only to stderr if stdout carries MCP messages. */
export function protectConsole(canUseStdout: boolean): void {
  const stdout = canUseStdout ? writeStreamFor(writeStdout) : stderrStream;
  globalThis.console = new Console({ stdout, stderr: stderrStream, ignoreErrors: false });
}

/** Wraps a write function in a stream that has only `write`, the one method that `console` and consola call. */
function writeStreamFor(write: (text: string) => void): NodeJS.WriteStream {
  const stream = { write: (text: unknown) => (write(String(text)), true) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `console` and consola use no other member
  return stream as unknown as NodeJS.WriteStream;
}
