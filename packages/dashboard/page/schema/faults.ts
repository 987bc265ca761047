import { isJson } from '../values.js';
import type { NumberShape, TextShape } from './fields.js';
import { matchesPattern } from './pattern.js';

/** Returns the fault in a nonempty text, or undefined for a valid text. */
export function faultOfText(shape: TextShape, text: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, pattern, format } = shape;
  // JSON Schema counts code points.
  const { length } = Array.from(text);
  if (length < minLength) return `At least ${minLength} characters are needed, and ${length} are here.`;
  if (length > maxLength) return `At most ${maxLength} characters are allowed, and ${length} are here.`;
  if (pattern !== undefined && !matchesPattern(pattern, text))
    return `The text does not match the pattern ${pattern}`;
  return faultOfFormat(format, text);
}

function faultOfFormat(format: string, text: string): string | undefined {
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text))
    return 'An address such as name@example.com is needed.';
  if (format === 'uri' && !URL.canParse(text))
    return 'A whole address is needed, such as https://example.com/page.';
  if (format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(text)) return 'A date such as 2026-01-31 is needed.';
  if (format === 'date-time' && Number.isNaN(Date.parse(`${text}Z`)))
    return 'A date and time such as 2026-01-31T12:00 is needed.';
  return undefined;
}

/** Returns the fault in the text of a number, or undefined for a valid text. */
export function faultOfNumber(shape: NumberShape, text: string): string | undefined {
  const { isInteger, step } = shape;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'A number is needed.';
  if (isInteger && !Number.isInteger(value)) return 'A whole number is needed.';
  if (isInteger && !Number.isSafeInteger(value))
    return 'A browser cannot send a whole number of this size exactly.';
  if (step !== undefined && !isMultiple(value, step)) return `The number is to be a multiple of ${step}.`;
  return faultOfRange(shape, value);
}

function faultOfRange({ minimum, maximum, above, below }: NumberShape, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `The number is to be ${minimum} or more.`;
  if (maximum !== undefined && value > maximum) return `The number is to be ${maximum} or less.`;
  if (above !== undefined && value <= above) return `The number is to be more than ${above}.`;
  return below !== undefined && value >= below ? `The number is to be less than ${below}.` : undefined;
}

/** True if a value is a multiple of a step. Decimals are inexact, and 0.3 must count as a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

/** Returns the fault in a JSON text, or undefined for a valid text. */
export function faultOfJson(type: string, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The text is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (type === 'array' && !Array.isArray(value)) return 'A JSON array is needed, such as ["a"].';
  return type === 'object' && !isJson(value) ? 'A JSON object is needed, such as {"a": 1}.' : undefined;
}
