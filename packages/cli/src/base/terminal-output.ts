import { Console } from 'node:console';
import { once } from 'node:events';
import process from 'node:process';

import { terminalText } from './terminal-text.js';

/*
 * All output to a terminal passes through this file. Commands print text from servers, config files and command lines,
 * so this file escapes control characters for all commands.
 */

/** Writes text for people, or JSON, to stdout. */
export function writeOut(text: string): void {
  process.stdout.write(terminalText(text));
}

/** Writes text for people, or JSON, to stderr. */
export function writeErr(text: string): void {
  process.stderr.write(terminalText(text));
}

/** Writes data to stdout. If stdout is a terminal, escapes control characters like {@link writeOut}. */
export function writeData(text: string): void {
  if (process.stdout.isTTY) writeOut(text);
  else process.stdout.write(text);
}

/** Resolves when stdout can take more data, which is usually immediately. */
export async function whenOutReady(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** Replaces the line at the cursor on stderr. */
export function redrawErr(line: string): void {
  process.stderr.write(`\r${terminalText(line)}\u001B[K`);
}

/** Terminal properties of stdout and stderr. */
export const terminals = {
  get isOut(): boolean {
    return process.stdout.isTTY;
  },
  get isErr(): boolean {
    return process.stderr.isTTY;
  },
  /** The width of the terminal on stdout. Infinite if stdout is not a terminal. */
  get columns(): number {
    return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
  },
  /** The number of bytes that this process has buffered for stderr. */
  get unreadErrBytes(): number {
    return process.stderr.writableLength;
  },
};

/** Stderr as a stream, for libraries that write to one. It escapes control characters. */
export const errStream = streamOf(writeErr);

/** Makes `console` escape control characters. If stdout carries the protocol, `console` writes only to stderr. */
export function protectConsole(isOutOurs: boolean): void {
  const stdout = isOutOurs ? streamOf(writeOut) : errStream;
  globalThis.console = new Console({ stdout, stderr: errStream, ignoreErrors: false });
}

/** Wraps a function in the part of the stream interface that `console` and consola use. */
function streamOf(write: (text: string) => void): NodeJS.WriteStream {
  const stream = { write: (text: unknown) => (write(String(text)), true) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `console` and consola use no other member
  return stream as unknown as NodeJS.WriteStream;
}
