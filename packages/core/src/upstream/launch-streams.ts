import type { Clock } from '../clock.js';
import { messageOf } from '../errors.js';
import type { Limits } from '../limits.js';
import { channelLimits } from './channel-limits.js';
import { OwnRequestError } from './own-request.js';
import type { StreamConfig } from './server-config.js';
import { StreamPeer } from './stream-peer.js';

/**
 * Has the host open the way to a server.
 *
 * @throws OwnRequestError when there is none any more
 */
export async function launchStreams(
  { open, advice }: StreamConfig,
  { clock, limits }: { readonly clock: Clock; readonly limits: Limits },
): Promise<StreamPeer> {
  try {
    return new StreamPeer(await open(), { clock, limits: channelLimits(limits, clock), advice });
  } catch (error) {
    const problem = messageOf(error);
    throw new OwnRequestError(problem, false, { kind: 'undelivered', problem, advice });
  }
}
