const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Longest integer that is written out: a longer one keeps its exponent. */
const LONGEST_WRITTEN = 1024;

/**
 * The one way to write the integer that the text of a JSON number stands for: `1` for `1.0` and `10E-1`, `0` for `-0`.
 * Exact for any number of digits. Undefined for a number with a fraction, and for what is no number.
 */
export function integerOf(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = withoutZerosAtEnd(digits);
  // Zeros behind the significant digits; those of a fraction are less than none.
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0) return undefined;
  const isShort = significant.length + zeros <= LONGEST_WRITTEN;
  return `${sign}${significant}${isShort ? '0'.repeat(zeros) : `e${zeros}`}`;
}

/** Not by a pattern: one that looks for the end from every zero takes the square of their number. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
