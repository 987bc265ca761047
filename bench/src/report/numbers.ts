const SIGNIFICANT_DIGITS = 3;
// the next larger would be rounded to four digits
const SHOWN_IN_FULL = 9.995;
const MEGABYTE = 1_000_000;
const KILOBYTE = 1000;

/** Three digits: what a bench on a shared machine can promise. */
export function number(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  return rounded.toLocaleString('en-US', { maximumSignificantDigits: SIGNIFICANT_DIGITS });
}

/** A ratio. */
export function times(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  return `${value < SHOWN_IN_FULL ? value.toFixed(2) : number(value)} ×`;
}

/** Bytes, as megabytes. */
export function megabytes(bytes: number | null): string {
  return bytes === null ? '–' : `${number(bytes / MEGABYTE)} MB`;
}

/** Bytes, as kilobytes. */
export function kilobytes(bytes: number): string {
  return `${number(bytes / KILOBYTE)} KB`;
}
