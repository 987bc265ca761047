import { Console } from 'node:console';
import process from 'node:process';

/** Stdout belongs to the protocol: whatever in this process uses `console` writes to stderr. */
export function protectStdout(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}
