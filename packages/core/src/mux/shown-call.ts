import { type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { cutText } from '../base/cut-text.js';
import { escapeControls } from '../base/escape-controls.js';
import type { ObservedCall } from '../downstream/request/forward.js';
import { maskArgs } from '../redact/mask-secrets.js';
import { Redactor } from '../redact/redactor.js';
import { secretsOfConfig } from '../upstream/config/config-secrets.js';

/** Most characters of the arguments or of the result of a call that a reader of events gets. */
export const MAX_SHOWN_BODY = 16_384;
/** A secret that begins before the cut is found whole up to this length. */
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
    ...(found !== undefined && { arguments: shownBody(line, found.span, secretsOfConfig(upstream.config)) }),
  };
}

/** Returns the members of an event that describe the answer to a call. */
export function shownAnswer({ upstream }: ObservedCall, line: Buffer, span: Span, withBodies: boolean) {
  const shown = withBodies && { result: shownBody(line, span, secretsOfConfig(upstream.config)) };
  return { bytes: line.length, ...shown };
}

/** The beginning of a JSON value without secrets. */
function shownBody(line: Buffer, { start, end }: Span, secrets: readonly string[]): string {
  const text = line.toString('utf8', start, Math.min(end, start + MAX_SHOWN_BODY + BEYOND_CUT));
  const [masked = ''] = maskArgs([new Redactor(secrets).redact(text)]).args;
  return cutText(escapeControls(masked), MAX_SHOWN_BODY);
}
