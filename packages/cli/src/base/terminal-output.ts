import { Console } from 'node:console';
import { once } from 'node:events';
import process from 'node:process';

import { terminalText } from './terminal-text.js';

/*
 * Every byte that a person reads on a terminal passes through this file. Servers, config files and command lines choose
 * parts of what commands print. Control characters are therefore escaped here, and not in the commands.
 */

/** Writes text for people, or JSON, to stdout. */
export function writeOut(text: string): void {
  process.stdout.write(terminalText(text));
}

/** Writes text for people, or JSON, to stderr. */
export function writeErr(text: string): void {
  process.stderr.write(terminalText(text));
}

/** Writes data to stdout. A program gets the bytes unchanged. A terminal gets them as {@link writeOut} writes them. */
export function writeData(text: string): void {
  if (process.stdout.isTTY) writeOut(text);
  else process.stdout.write(text);
}

/** Resolves when stdout has room for more, which is usually at once. */
export async function whenOutReady(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** Replaces the line at the cursor on stderr. */
export function redrawErr(line: string): void {
  process.stderr.write(`\r${terminalText(line)}\u001B[K`);
}

/** The properties of the streams that depend on whether the streams are terminals. */
export const terminals = {
  get isOut(): boolean {
    return process.stdout.isTTY;
  },
  get isErr(): boolean {
    return process.stderr.isTTY;
  },
  /** Infinite when stdout is not a terminal. */
  get columns(): number {
    return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  },
  /** The bytes that the reader of stderr has not read yet. */
  get unreadErrBytes(): number {
    return process.stderr.writableLength;
  },
};

/** Stderr for libraries that write to a stream. */
export const errStream = streamOf(writeErr);

/** Makes `console` escape control characters too. `console` writes only to stderr if stdout belongs to the protocol. */
export function protectConsole(isOutOurs: boolean): void {
  const stdout = isOutOurs ? streamOf(writeOut) : errStream;
  globalThis.console = new Console({ stdout, stderr: errStream, ignoreErrors: false });
}

/** Returns the parts of a stream that `console` and consola use. */
function streamOf(write: (text: string) => void): NodeJS.WriteStream {
  const stream = { write: (text: unknown) => (write(String(text)), true) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two use nothing else of a stream
  return stream as unknown as NodeJS.WriteStream;
}
