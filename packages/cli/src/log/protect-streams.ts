import process from 'node:process';

import { protectConsole } from '../base/terminal-output.js';

/** Makes `console` write to stderr, because stdout carries JSON-RPC. Ignores errors on stderr. */
export function protectStreams(): void {
  protectConsole(false);
  // Without a listener, an error on stderr, such as a full disk, would end the process.
  process.stderr.on('error', () => undefined);
}
