const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Maximum number of digits that are written in full. A longer integer is written with an exponent. */
const MAX_PLAIN_DIGITS = 1024;

/**
 * Returns the canonical form of the integer in the text of a JSON number. `1.0` and `10E-1` give `1`, and `-0` gives
 * `0`. The result is exact for any number of digits. Returns undefined for a number with a fraction, and for a text
 * that is not a number.
 */
export function canonicalInteger(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = JSON_NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = withoutTrailingZeros(digits);
  // The number of zeros after the significant digits, negative for a number with a fraction.
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0) return undefined;
  const isShort = significant.length + zeros <= MAX_PLAIN_DIGITS;
  return `${sign}${significant}${isShort ? '0'.repeat(zeros) : `e${zeros}`}`;
}

/**
 * Returns `digits` without trailing zeros. A regular expression would retry from every zero, which takes quadratic
 * time.
 */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
