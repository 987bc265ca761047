/** The middle of the values, between the two middle ones when their count is even. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[middle - 1] ?? Number.NaN;
  const sum = lower + upper;
  // Halves first where the sum is beyond the largest number, last where a half would be below the smallest.
  return Number.isFinite(sum) ? sum / 2 : lower / 2 + upper / 2;
}

/** The smallest of the sorted values that at least this share of them does not exceed. NaN for none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.ceil(share * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? Number.NaN;
}
