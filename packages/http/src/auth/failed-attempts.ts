import { KeyedBuckets } from '@mcpmux/core/guards';

/** So many at once, and then one in two seconds: a person who mistypes notices nothing of it. */
const RATE = { burst: 30, perSecond: 0.5 };
const IPV6_NETWORK_GROUPS = 4;

/** Counts requests without a token that is accepted, by where they come from. Those with one are never counted. */
export class FailedAttempts {
  private readonly buckets: KeyedBuckets;

  constructor(now: () => number) {
    this.buckets = new KeyedBuckets(RATE, { now });
  }

  /** Notes one more. Returns in how many seconds another may follow, when there were too many; otherwise 0. */
  note(address: string | undefined): number {
    return Math.ceil(this.buckets.take(networkOf(address ?? '')) / 1000);
  }
}

/** Whoever has one address of IPv6 has the 2^64 of its network. */
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
