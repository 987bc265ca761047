import process from 'node:process';

import { protectConsole } from '../base/terminal-output.js';

/** Makes `console` write to stderr, because stdout carries JSON-RPC. Errors of stderr are ignored. */
export function protectStreams(): void {
  protectConsole(false);
  // Without this listener, a full disk or a closed stderr would end the process.
  process.stderr.on('error', () => undefined);
}
