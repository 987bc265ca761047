import type { Limits } from './limits.js';
import type { Link } from './mux-api.js';
import type { LineChannel } from './wire/line-channel.js';
import { TransportChannel } from './wire/sdk-transport.js';
import { StreamChannel } from './wire/stream-channel.js';

/** The channel over which a session speaks to the client of a link. */
export function linkChannel(link: Link, limits: Limits): LineChannel {
  const { maxLineBytes, maxEndlessLineBytes, maxClientQueueBytes } = limits;
  const highWatermarkBytes = limits.clientHighWatermarkBytes;
  if ('start' in link) {
    return new TransportChannel(link, { highWatermarkBytes, maxHeldBytes: maxClientQueueBytes });
  }
  return new StreamChannel(link, { maxLineBytes, maxEndlessLineBytes, highWatermarkBytes });
}
