import process from 'node:process';

import { protectConsole } from '../base/terminal-output.js';

/** Stdout belongs to the protocol: whatever in this process uses `console` writes to stderr, as far as that can be written. */
export function protectStreams(): void {
  protectConsole(false);
  // A full disk, or a reader that has gone, is no reason to end: without a listener it was.
  process.stderr.on('error', () => undefined);
}
