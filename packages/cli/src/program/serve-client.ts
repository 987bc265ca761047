import type { ServeOptions } from '../serve/serve-options.js';
import { serve } from '../serve/serve.js';
import { wantsShared } from '../serve/wants-shared.js';

/**
 * Serves the client on stdin and stdout: as a window of a shared process if the user chose one, or else in this
 * process. Returns the exit code.
 *
 * @param args the command-line arguments of this mcpmux
 */
export async function serveClient(options: ServeOptions, args: readonly string[]): Promise<number> {
  return (await wantsShared(options)) ? serveAsWindow(args) : serve(options);
}

/** Serves the client on stdin and stdout as a window of a shared process. Returns the exit code. */
export async function serveAsWindow(args: readonly string[]): Promise<number> {
  const { runRelay } = await import('../window/run-relay.js');
  return runRelay(args);
}
