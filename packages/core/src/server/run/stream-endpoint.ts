import { messageOf, waitAtMost } from '@mcpmux/kit';
import type { StreamConfig } from '../config/server-config.js';
import { OwnRequestError } from '../link/own-request.js';
import { ELSEWHERE, serverChannel, type Endpoint } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/**
 * Has the host open the way to a server. Nothing at its other end is ours to stop.
 *
 * @throws OwnRequestError when the endpoint is gone
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
      // What was sent last gets a moment to leave.
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
