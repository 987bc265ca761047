import type { StreamChannelLimits } from '@mcpmux/wire';
import type { Clock } from '../../base/clock.js';
import type { Limits } from '../../base/limits.js';

/** What a channel towards a server may take and hold. */
export function channelLimits(limits: Limits, clock: Clock): StreamChannelLimits {
  return {
    maxLineBytes: limits.maxLineBytes,
    maxEndlessLineBytes: limits.maxEndlessLineBytes,
    highWatermarkBytes: limits.maxServerQueueBytes,
    stall: { clock, afterMs: limits.stallMs },
  };
}
