import type { Sample } from './exposition.js';

type Labels = Readonly<Record<string, string>>;

/** Upper bounds of the latency buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60] as const;

/** Returns the joined label values. All label sets in one series have the same labels in the same order. */
function keyOf(labels: Labels): string {
  return Object.values(labels).join('\n');
}

/** A counter for each set of labels. */
export class CounterSeries {
  private readonly values = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels): void {
    const key = keyOf(labels);
    const entry = this.values.get(key) ?? { labels, value: 0 };
    entry.value += 1;
    this.values.set(key, entry);
  }

  samples(): readonly Sample[] {
    return [...this.values.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

interface Distribution {
  readonly labels: Labels;
  /** The count in each bucket, not cumulative. The last count is for durations above all bounds. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** A distribution of durations for each set of labels. */
export class HistogramSeries {
  private readonly values = new Map<string, Distribution>();

  observe(labels: Labels, seconds: number): void {
    const key = keyOf(labels);
    const entry = this.values.get(key) ?? { labels, counts: BUCKETS.map(() => 0), sum: 0, count: 0 };
    this.values.set(key, entry);
    entry.sum += seconds;
    entry.count += 1;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
    entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1;
  }

  samples(): readonly Sample[] {
    return [...this.values.values()].flatMap(samplesOf);
  }
}

function samplesOf({ labels, counts, sum, count }: Distribution): readonly Sample[] {
  const bucket = (le: string, value: number): Sample => ({
    suffix: '_bucket',
    labels: { ...labels, le },
    value,
  });
  let atMost = 0;
  return [
    ...BUCKETS.map((bound, index) => bucket(String(bound), (atMost += counts[index] ?? 0))),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
