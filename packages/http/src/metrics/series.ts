import type { Sample } from './exposition.js';

type Labels = Readonly<Record<string, string>>;

/** Upper bounds of the latency buckets, in seconds. */
const BUCKET_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60] as const;

/** Joins the label values into a key. All label sets in one series have the same labels in the same order. */
function keyOf(labels: Labels): string {
  return Object.values(labels).join('\n');
}

/** A counter for each set of labels. */
export class CounterSeries {
  private readonly counters = new Map<string, { readonly labels: Labels; value: number }>();

  increment(labels: Labels): void {
    const key = keyOf(labels);
    const entry = this.counters.get(key) ?? { labels, value: 0 };
    entry.value += 1;
    this.counters.set(key, entry);
  }

  samples(): readonly Sample[] {
    return [...this.counters.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

interface Distribution {
  readonly labels: Labels;
  /** The number of durations in each bucket, not cumulative. The last number is for durations above all bounds. */
  readonly bucketCounts: number[];
  sumSeconds: number;
  count: number;
}

/** A distribution of durations for each set of labels. */
export class HistogramSeries {
  private readonly distributions = new Map<string, Distribution>();

  observe(labels: Labels, seconds: number): void {
    const key = keyOf(labels);
    const entry = this.distributions.get(key) ?? {
      labels,
      bucketCounts: BUCKET_BOUNDS.map(() => 0),
      sumSeconds: 0,
      count: 0,
    };
    this.distributions.set(key, entry);
    entry.sumSeconds += seconds;
    entry.count += 1;
    let bucket = 0;
    while (bucket < BUCKET_BOUNDS.length && seconds > (BUCKET_BOUNDS[bucket] ?? 0)) bucket += 1;
    entry.bucketCounts[bucket] = (entry.bucketCounts[bucket] ?? 0) + 1;
  }

  samples(): readonly Sample[] {
    return [...this.distributions.values()].flatMap(samplesOf);
  }
}

function samplesOf({ labels, bucketCounts, sumSeconds, count }: Distribution): readonly Sample[] {
  const bucket = (le: string, value: number): Sample => ({
    suffix: '_bucket',
    labels: { ...labels, le },
    value,
  });
  let atMost = 0;
  return [
    ...BUCKET_BOUNDS.map((bound, index) => bucket(String(bound), (atMost += bucketCounts[index] ?? 0))),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: sumSeconds },
    { suffix: '_count', labels, value: count },
  ];
}
