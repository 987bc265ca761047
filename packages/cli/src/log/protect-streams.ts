import { Console } from 'node:console';
import process from 'node:process';

/** Makes `console` write to stderr, because stdout carries JSON-RPC. Errors of stderr are ignored. */
export function protectStreams(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
  // Without this listener, a full disk or a closed stderr would end the process.
  process.stderr.on('error', () => undefined);
}
