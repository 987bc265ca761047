import { Console } from 'node:console';
import process from 'node:process';

/** Stdout belongs to the protocol: whatever in this process uses `console` writes to stderr, as far as that can be written. */
export function protectStreams(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
  // A full disk, or a reader that has gone, is no reason to end: without a listener it was.
  process.stderr.on('error', () => undefined);
}
