import type { Limits } from '@mcpmux/kit';
import { type Channel, StreamChannel, TransportChannel } from '@mcpmux/wire';
import type { ClientLink } from './connect-options.js';

/** True for two separate byte streams, which are the ends of two pipes. One stream in both directions is a socket. */
export function isStdioLink(link: ClientLink): boolean {
  return 'input' in link && !Object.is(link.input, link.output);
}

/** Returns the channel between a session and the client of a link. */
export function linkChannel(link: ClientLink, limits: Limits): Channel {
  const { maxLineBytes, maxEndlessLineBytes, maxClientQueueBytes } = limits;
  if ('open' in link) return link;
  const highWatermarkBytes = limits.clientHighWatermarkBytes;
  return 'start' in link
    ? new TransportChannel(link, { highWatermarkBytes, maxHeldBytes: maxClientQueueBytes })
    : new StreamChannel(link, { maxLineBytes, maxEndlessLineBytes, highWatermarkBytes });
}
