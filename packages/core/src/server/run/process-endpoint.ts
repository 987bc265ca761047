import { errorCodeOf } from '@mcpmux/kit';
import { PipeError } from '@mcpmux/wire';
import type { ServerProcess } from '../../process/server-process.js';
import { serverChannel, type Endpoint } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/** The time from the end of a pipe to the conclusion that the server closed it on purpose, in milliseconds. */
const PIPE_END_GRACE_MS = 200;
/** The operating system's error codes for a pipe that the other side has closed. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET']);

/** Returns the {@link Endpoint} for a process, over its pipes. */
export function processEndpoint(
  server: ServerProcess,
  components: RunComponents,
): Endpoint & { readonly pid: number } {
  return {
    pid: server.pid,
    channel: serverChannel(server.streams, components),
    get stderrTail() {
      return server.stderr.excerpt;
    },
    // An exit also closes the pipes, and explains more, so mcpmux waits a moment for it.
    endGraceMs: PIPE_END_GRACE_MS,
    // The run of a server that cannot be reached is over, even if its process still runs.
    failureOf: ({ error }) => {
      const stderrTail = server.stderr.excerpt;
      if (server.exit !== undefined) return undefined;
      if (!(error instanceof PipeError)) return { kind: 'pipe-closed', pipe: 'stdout', stderrTail };
      const pipe = error.side === 'input' ? 'stdout' : 'stdin';
      const problem = CLOSED.has(errorCodeOf(error.cause) ?? '') ? undefined : error.message;
      return { kind: 'pipe-closed', pipe, ...(problem !== undefined && { problem }), stderrTail };
    },
    stop: (timings) => server.stop(timings),
  };
}
