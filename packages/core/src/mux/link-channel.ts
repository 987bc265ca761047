import { type Channel, StreamChannel, TransportChannel } from '@mcpmux/wire';
import type { Limits } from '../base/limits.js';
import type { Link } from './mux-api.js';

/** The channel over which a session speaks to the client of a link. */
export function linkChannel(link: Link, limits: Limits): Channel {
  const { maxLineBytes, maxEndlessLineBytes, maxClientQueueBytes } = limits;
  const highWatermarkBytes = limits.clientHighWatermarkBytes;
  if ('start' in link) {
    return new TransportChannel(link, { highWatermarkBytes, maxHeldBytes: maxClientQueueBytes });
  }
  return new StreamChannel(link, { maxLineBytes, maxEndlessLineBytes, highWatermarkBytes });
}
