import { isRecord } from '@mcpmux/kit';
import { type Edit, ErrorCode, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { declaresTasks } from '../../server/dialect/tasks-extension.js';

const CODE_PATHS = valuePaths([['code']]);
const HEADER_MISMATCH = -32_020;
/** The codes of server errors that mcpmux, not the client, has caused. */
const MUX_FAULT_CODES: ReadonlySet<number> = new Set([HEADER_MISMATCH, ErrorCode.UnsupportedVersion]);

/** Returns the code of the error object at `error`, and the code's span; undefined if the object has no code. */
export function errorCodeAt(
  line: Buffer,
  error: Span,
): { readonly code: number; readonly span: Span } | undefined {
  const [found] = valueSpans(line, error, CODE_PATHS);
  if (found === undefined) return undefined;
  return { code: Number(line.toString('latin1', found.span.start, found.span.end)), span: found.span };
}

/** Returns the edits that change an error's code to "internal error" if mcpmux, not the client, caused the error. */
export function internalErrorEdits(line: Buffer, error: Span): readonly Edit[] {
  const found = errorCodeAt(line, error);
  const isOurs = found !== undefined && MUX_FAULT_CODES.has(found.code);
  return isOurs ? [{ span: found.span, bytes: String(ErrorCode.InternalError) }] : [];
}

/** Returns the names of the capabilities that an error with code -32021 requires, separated by commas. */
export function requiredCapabilityNames(line: Buffer, error: Span): string {
  const required = capabilitiesIn(line, error);
  return required === undefined ? 'a capability' : Object.keys(required).join(', ');
}

/** True if an error with code -32021 requires a client that supports tasks. */
export function requiresTasks(line: Buffer, error: Span): boolean {
  return declaresTasks(capabilitiesIn(line, error));
}

function capabilitiesIn(line: Buffer, { start, end }: Span): Readonly<Record<string, unknown>> | undefined {
  const error: unknown = JSON.parse(line.toString('utf8', start, end));
  const data = isRecord(error) && isRecord(error['data']) ? error['data'] : {};
  const { requiredCapabilities } = data;
  return isRecord(requiredCapabilities) ? requiredCapabilities : undefined;
}
