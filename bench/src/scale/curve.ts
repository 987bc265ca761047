/** One thing that is measured while another grows. */
export interface Metric {
  readonly key: string;
  readonly label: string;
  readonly unit: 'µs' | 'ms' | 'MB' | '/s';
}

/** The figures at one size. */
export interface Point {
  readonly size: number;
  /** By the keys of the metrics. */
  readonly values: Readonly<Record<string, number>>;
}

/** The cost as one quantity grows. */
export interface Curve {
  readonly name: 'servers' | 'tools' | 'in-flight' | 'calls';
  /** The quantity that grows. */
  readonly label: string;
  readonly metrics: readonly Metric[];
  readonly points: readonly Point[];
}

/** How many times more a metric is at the largest size than at the smallest: 1 is flat. */
export function growth({ points }: Curve, key: string): number {
  const first = points[0]?.values[key] ?? Number.NaN;
  const last = points.at(-1)?.values[key] ?? Number.NaN;
  // with nothing there is nothing to compare
  return first === 0 ? Number.NaN : last / first;
}
