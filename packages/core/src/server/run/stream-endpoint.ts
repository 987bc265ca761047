import { messageOf, waitAtMost } from '@mcpmux/kit';
import type { StreamConfig } from '../config/server-config.js';
import { OwnRequestError } from '../link/own-request.js';
import { ELSEWHERE, serverChannel, type Endpoint } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/**
 * Lets the host open the connection to a server. mcpmux does not stop the process at its other end.
 *
 * @throws OwnRequestError if the host cannot open the connection
 */
export async function streamEndpoint(
  { open, advice }: StreamConfig,
  components: RunComponents,
): Promise<Endpoint> {
  try {
    const channel = serverChannel(await open(), components);
    return {
      ...ELSEWHERE,
      channel,
      failureOf: ({ error }) => {
        const problem = error instanceof Error ? error.message : 'its connection has ended';
        return { kind: 'unreachable', problem, advice };
      },
      // The last messages get a moment to be sent.
      stop: async ({ eofGraceMs }) => {
        await waitAtMost(eofGraceMs, channel.end(), components.clock);
        channel.destroy();
      },
    };
  } catch (error) {
    const problem = messageOf(error);
    throw new OwnRequestError(problem, false, { kind: 'undelivered', problem, advice });
  }
}
