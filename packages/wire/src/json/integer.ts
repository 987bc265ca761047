const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** The maximum number of digits written in full. A longer integer is written with an exponent. */
const MAX_PLAIN_DIGITS = 1024;

/**
 * Returns the canonical form of an integer in JSON text, exact for any number of digits: `1` for `1.0` and `10E-1`, `0`
 * for `-0`. Returns undefined if the text is not a number or the number has a fraction.
 */
export function canonicalInteger(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = JSON_NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = withoutTrailingZeros(digits);
  // The number of zeros after the significant digits. Negative for a number with a fraction.
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0) return undefined;
  const isShort = significant.length + zeros <= MAX_PLAIN_DIGITS;
  return `${sign}${significant}${isShort ? '0'.repeat(zeros) : `e${zeros}`}`;
}

/** Returns `digits` without trailing zeros. A regular expression would retry from every zero, in quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
