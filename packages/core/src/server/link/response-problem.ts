import { isRecord, shownStart, type TextMask } from '@mcpmux/kit';
import type { BorrowedLine } from '@mcpmux/wire';
import { shownLine } from '../../process/stderr-lines.js';
import type { ServerResponse } from './pending-call.js';

/** The maximum number of characters reported from a malformed error. */
const SHOWN_ERROR = 300;

/**
 * Returns the defect of a response that clients would drop without an error, so that their callers would wait for ever.
 * Returns undefined if the response has no such defect.
 */
export function responseProblem(
  line: BorrowedLine,
  { result, error }: ServerResponse,
  mask: TextMask,
): string | undefined {
  if (error === undefined) return result === undefined ? 'it has neither a result nor an error' : undefined;
  if (result !== undefined) return 'it has a result and an error';
  const json = line.toString('utf8', error.start, error.end);
  const value: unknown = JSON.parse(json);
  const { code, message } = isRecord(value) ? value : {};
  if (Number.isSafeInteger(code) && typeof message === 'string') return undefined;
  return `its error has no integer as code, or no text as message: ${shownLine(shownStart(mask, json, SHOWN_ERROR), mask)}`;
}
