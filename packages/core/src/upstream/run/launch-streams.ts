import type { Clock } from '../../base/clock.js';
import { messageOf } from '../../base/errors.js';
import type { Limits } from '../../base/limits.js';
import { channelLimits } from './channel-limits.js';
import { OwnRequestError } from '../link/own-request.js';
import type { StreamConfig } from '../config/server-config.js';
import { StreamEndpoint } from './stream-endpoint.js';

/**
 * Has the host open the way to a server.
 *
 * @throws OwnRequestError when there is none any more
 */
export async function launchStreams(
  { open, advice }: StreamConfig,
  { clock, limits }: { readonly clock: Clock; readonly limits: Limits },
): Promise<StreamEndpoint> {
  try {
    return new StreamEndpoint(await open(), { clock, limits: channelLimits(limits, clock), advice });
  } catch (error) {
    const problem = messageOf(error);
    throw new OwnRequestError(problem, false, { kind: 'undelivered', problem, advice });
  }
}
