import {
  contentTexts,
  escapeControls,
  isRecord,
  parsedJson,
  Redactor,
  RESULT_FORMS,
  type ResultForm,
} from '@mcpmux/kit';
import type { Span } from '@mcpmux/wire';

/**
 * The maximum length of a result that is searched completely, in bytes. In a longer result, only the start and the end
 * are searched for `isError`.
 */
const MAX_SEARCHED = 65_536;
const MARGIN = 1024;
/** The maximum length of a failed result or error that is parsed, in bytes. */
const MAX_READ = 1_048_576;
const MAX_SHOWN = 300;
const IS_ERROR = Buffer.from('"isError"');

/** The spans of a result and an error in a borrowed line. */
export interface Answered {
  readonly result?: Span | undefined;
  readonly error?: Span | undefined;
}

/**
 * Returns the first line of the error text of a failed call, or undefined if the call has not failed. The check of a
 * successful call searches a bounded number of bytes.
 */
export function callProblem(
  line: Buffer,
  { result, error }: Answered,
  secrets: () => readonly string[],
  forms: readonly ResultForm[] = RESULT_FORMS,
): string | undefined {
  const span = error ?? result;
  if (span === undefined || span.end - span.start > MAX_READ) return undefined;
  if (error === undefined && !mayBeError(line.subarray(span.start, span.end))) return undefined;
  const value = parsedJson(line.toString('utf8', span.start, span.end));
  if (!isRecord(value)) return undefined;
  const text = error === undefined ? errorText(value, forms) : value['message'];
  if (typeof text !== 'string') return undefined;
  const shown = new Redactor(secrets()).redact(text.trim()).split('\n', 1)[0] ?? '';
  return escapeControls(shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown);
}

function mayBeError(result: Buffer): boolean {
  if (result.length <= MAX_SEARCHED) return result.includes(IS_ERROR);
  return result.subarray(0, MARGIN).includes(IS_ERROR) || result.subarray(-MARGIN).includes(IS_ERROR);
}

/** Returns the text of a tool result with `isError`; empty if it has no text. */
function errorText(
  result: Readonly<Record<string, unknown>>,
  forms: readonly ResultForm[],
): string | undefined {
  if (result['isError'] !== true) return undefined;
  return contentTexts(result, forms)[0] ?? '';
}
