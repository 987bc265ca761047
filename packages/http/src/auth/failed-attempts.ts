import { KeyedBuckets } from '@mcpmux/core/guards';

/** Allows a burst of 30 attempts, then one every two seconds. A user who mistypes a token does not notice the limit. */
const ATTEMPT_RATE = { burst: 30, perSecond: 0.5 };
const IPV6_NETWORK_GROUPS = 4;

/** Limits requests without an accepted token, by source address. Requests with an accepted token do not count. */
export class FailedAttempts {
  private readonly buckets: KeyedBuckets;

  constructor(now: () => number) {
    this.buckets = new KeyedBuckets(ATTEMPT_RATE, { now });
  }

  /** Counts a failed attempt. Returns how many seconds the client must wait, or 0 if the limit has not been reached. */
  recordAttempt(address: string | undefined): number {
    return Math.ceil(this.buckets.take(networkOf(address ?? '')) / 1000);
  }
}

/** Returns an IPv4 address as it is, or an IPv6 address's /64 network, because a client usually controls all of it. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? [];
  const before = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? 8 - before.length - after.length : 0;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(':')}::/64`;
}
