import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import type { StreamChannelLimits } from '../wire/stream-channel.js';

/** What a channel towards a server may take and hold. */
export function channelLimits(limits: Limits, clock: Clock): StreamChannelLimits {
  return {
    maxLineBytes: limits.maxLineBytes,
    maxEndlessLineBytes: limits.maxEndlessLineBytes,
    highWatermarkBytes: limits.maxServerQueueBytes,
    stall: { clock, afterMs: limits.stallMs },
  };
}
