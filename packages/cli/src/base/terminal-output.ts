import { Console } from 'node:console';
import { once } from 'node:events';
import process from 'node:process';

import { terminalText } from './terminal-text.js';

/*
 * The rim of this package: every byte that a person reads on a terminal passes here. Servers, config files and command
 * lines choose parts of what commands print, so control characters are written as escapes here, and not where a command
 * makes its text.
 */

/** Writes text for people, or JSON, to stdout. */
export function writeOut(text: string): void {
  process.stdout.write(terminalText(text));
}

/** Writes text for people, or JSON, to stderr. */
export function writeErr(text: string): void {
  process.stderr.write(terminalText(text));
}

/** Writes data to stdout: a program gets its bytes as they are, a terminal gets them as {@link writeOut} writes them. */
export function writeData(text: string): void {
  if (process.stdout.isTTY) writeOut(text);
  else process.stdout.write(text);
}

/** Resolves when stdout has room for more: at once, mostly. */
export async function outReady(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** Writes a line on stderr in place of the line that the cursor is on. */
export function redrawErr(line: string): void {
  process.stderr.write(`\r${terminalText(line)}\u001B[K`);
}

/** The properties of the streams that depend on whether they are terminals. */
export const terminals = {
  get isOut(): boolean {
    return process.stdout.isTTY;
  },
  get isErr(): boolean {
    return process.stderr.isTTY;
  },
  /** Endless when stdout is no terminal. */
  get columns(): number {
    return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  },
  /** Bytes that the reader of stderr has not taken. */
  get unreadErrBytes(): number {
    return process.stderr.writableLength;
  },
};

/** Stderr for libraries that write to a stream. */
export const errStream = streamOf(writeErr);

/** `console` prints like everything else; to stderr alone where stdout belongs to the protocol. */
export function protectConsole(isOutOurs: boolean): void {
  const stdout = isOutOurs ? streamOf(writeOut) : errStream;
  globalThis.console = new Console({ stdout, stderr: errStream, ignoreErrors: false });
}

/** As much of a stream as `console` and consola use. */
function streamOf(write: (text: string) => void): NodeJS.WriteStream {
  const stream = { write: (text: unknown) => (write(String(text)), true) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two use nothing else of a stream
  return stream as unknown as NodeJS.WriteStream;
}
