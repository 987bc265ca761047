import { cutText, escapeControls, maskArgs, Redactor } from '@mcpmux/kit';
import { type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import type { ObservedCall } from '../client/request/forward.js';
import { secretsOfConfig } from '../server/config/config-secrets.js';

/** Maximum number of characters of the arguments or the result of a call in an event. */
export const MAX_SHOWN_BODY = 16_384;
/** Bytes that are read beyond the cut, so that a secret that begins before the cut is found completely. */
export const BEYOND_CUT = 4096;
const ARGUMENTS = valuePaths([['params', 'arguments']]);

/** Returns the members of an event that describe the request of a call. */
export function shownRequest({ exchange, upstream }: ObservedCall, withBodies: boolean) {
  const { caller, line } = exchange;
  const client = caller.profile?.label;
  const whole = { start: 0, end: line.length };
  const [found] = withBodies ? valueSpans(line, whole, ARGUMENTS) : [];
  return {
    session: caller.session,
    ...(client !== undefined && { client }),
    bytes: line.length,
    ...(found !== undefined && shownArguments(shownBody(line, found.span, upstream))),
  };
}

/** Returns the members of an event that describe the answer to a call. */
export function shownAnswer({ upstream }: ObservedCall, line: Buffer, span: Span, withBodies: boolean) {
  if (!withBodies) return { bytes: line.length };
  const { text, cutFrom } = shownBody(line, span, upstream);
  return { bytes: line.length, result: text, ...(cutFrom !== undefined && { resultBytes: cutFrom }) };
}

/** The beginning of a JSON value. */
interface ShownBody {
  readonly text: string;
  /** The size of the value; absent if the text has the whole value. */
  readonly cutFrom?: number;
}

function shownArguments({ text, cutFrom }: ShownBody) {
  return { arguments: text, ...(cutFrom !== undefined && { argumentsBytes: cutFrom }) };
}

/** Returns the beginning of a JSON value without secrets. */
function shownBody(line: Buffer, { start, end }: Span, { config }: ObservedCall['upstream']): ShownBody {
  const read = Math.min(end, start + MAX_SHOWN_BODY + BEYOND_CUT);
  const [masked = ''] = maskArgs([
    new Redactor(secretsOfConfig(config)).redact(line.toString('utf8', start, read)),
  ]).args;
  const escaped = escapeControls(masked);
  const text = cutText(escaped, MAX_SHOWN_BODY);
  return read < end || text.length < escaped.length ? { text, cutFrom: end - start } : { text };
}
