import {
  type Clock,
  contentTexts,
  escapeControls,
  isRecord,
  parsedJson,
  Redactor,
  RESULT_FORMS,
  type ResultForm,
} from '@mcpmux/kit';
import type { AnswerSpans, CallEndListener } from '../client/request/forwarded-call.js';
import type { CallObserver, ObservedCall } from '../client/request/forward.js';
import { Allowance } from './allowance.js';
import type { MuxEvents } from './mux-events.js';
import type { Redactors } from './session-messages.js';
import { answerMembers, requestMembers } from './shown-message.js';

/** The maximum rate of calls whose events include the more expensive details: session, client and size. */
export const DETAILED_RATE = { burst: 100, perSecond: 20 };
/** The maximum rate of calls whose arguments and results are copied into events. Copying costs more than forwarding. */
export const BODY_RATE = { burst: 50, perSecond: 5 };

/**
 * The maximum size of a result that is searched for `isError` completely, in bytes. Of a longer result, only the start
 * and the end are searched.
 */
const MAX_SEARCHED_BYTES = 65_536;
const SEARCHED_END_BYTES = 1024;
/** The maximum length, in bytes, of a failed result or error that is parsed. */
const MAX_PARSED_BYTES = 1_048_576;
const MAX_TEXT_LENGTH = 300;
const IS_ERROR_KEY = Buffer.from('"isError"');

/** Emits events when calls begin and end. Costs almost nothing without listeners. */
export class CallEvents implements CallObserver {
  private callCount = 0;
  private readonly detailAllowance = new Allowance(DETAILED_RATE);
  private readonly bodyAllowance = new Allowance(BODY_RATE);

  constructor(
    readonly audience: MuxEvents,
    private readonly clock: Clock,
    private readonly redactors: Pick<Redactors, 'current'>,
  ) {}

  onCallStart(server: string, tool: string, observed?: ObservedCall): CallEndListener | undefined {
    const { audience: events, clock } = this;
    if (!events.hasListeners) return undefined;
    this.callCount += 1;
    const call = this.callCount;
    const startedAt = clock.now();
    const isDetailed =
      observed !== undefined &&
      events.includesDetails !== false &&
      this.detailAllowance.tryConsume(startedAt);
    const hasBody = isDetailed && events.includesDetails === true && this.bodyAllowance.tryConsume(startedAt);
    const request = isDetailed
      ? requestMembers(observed, hasBody ? this.redactors.current() : undefined)
      : undefined;
    const layer = observed?.upstream.layer;
    const place = layer === undefined || layer.isShared ? undefined : { layer: layer.id };
    events.emit('call:start', { server, ...place, tool, call, ...request });
    return (ending, line, spans) => {
      const ms = Math.round((clock.now() - startedAt) * 10) / 10;
      const span = spans?.result ?? spans?.error;
      const includesAnswer =
        observed !== undefined && line !== undefined && span !== undefined && request !== undefined;
      // A new redactor, because the request's redactor lacks the secrets of servers that were added during the call.
      const redactor = includesAnswer && 'arguments' in request ? this.redactors.current() : undefined;
      const answer = includesAnswer ? answerMembers(line, span, redactor) : undefined;
      const problem = line && spans && callProblem(line, spans, () => observed?.upstream.secrets ?? []);
      const problemMember = problem === undefined ? undefined : { problem };
      events.emit('call:end', { server, ...place, tool, call, ms, ending, ...problemMember, ...answer });
    };
  }
}

/**
 * Returns the first line of a failed call's error text. Returns undefined if the call succeeded or its response is too
 * long to parse.
 */
export function callProblem(
  line: Buffer,
  { result, error }: AnswerSpans,
  secrets: () => readonly string[],
  forms: readonly ResultForm[] = RESULT_FORMS,
): string | undefined {
  const span = error ?? result;
  if (span === undefined || span.end - span.start > MAX_PARSED_BYTES) return undefined;
  if (error === undefined && !mayBeError(line.subarray(span.start, span.end))) return undefined;
  const value = parsedJson(line.toString('utf8', span.start, span.end));
  if (!isRecord(value)) return undefined;
  const text = error === undefined ? errorText(value, forms) : value['message'];
  if (typeof text !== 'string') return undefined;
  const firstLine = new Redactor(secrets()).redact(text.trim()).split('\n', 1)[0] ?? '';
  return escapeControls(
    firstLine.length > MAX_TEXT_LENGTH ? `${firstLine.slice(0, MAX_TEXT_LENGTH)}…` : firstLine,
  );
}

function mayBeError(result: Buffer): boolean {
  if (result.length <= MAX_SEARCHED_BYTES) return result.includes(IS_ERROR_KEY);
  return (
    result.subarray(0, SEARCHED_END_BYTES).includes(IS_ERROR_KEY) ||
    result.subarray(-SEARCHED_END_BYTES).includes(IS_ERROR_KEY)
  );
}

/**
 * Returns the text of the first text block in a failed tool result, or an empty string if it has none. Returns
 * undefined if the call succeeded.
 */
function errorText(
  result: Readonly<Record<string, unknown>>,
  forms: readonly ResultForm[],
): string | undefined {
  if (result['isError'] !== true) return undefined;
  return contentTexts(result, forms)[0] ?? '';
}
