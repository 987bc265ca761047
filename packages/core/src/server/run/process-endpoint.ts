import { errorCodeOf } from '@mcpmux/kit';
import { PipeError } from '@mcpmux/wire';
import type { ServerProcess } from '../../process/server-process.js';
import { serverChannel, type Endpoint } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/** From the end of a pipe to the conclusion that it was closed on purpose. */
const PIPE_END_GRACE_MS = 200;
/** Codes of the operating system for a pipe that the other side has closed. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET']);

/** The {@link Endpoint} that is a process, spoken to over its pipes. */
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
    // An exit closes the pipes as well, and says more: it gets the moment it needs to arrive.
    endGraceMs: PIPE_END_GRACE_MS,
    // A server that cannot be reached any more is over, even if its process is not.
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
