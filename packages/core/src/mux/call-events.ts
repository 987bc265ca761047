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
import type { CallAnswer, CallEndListener } from '../client/request/forwarded-call.js';
import type { CallObserver, ObservedCall } from '../client/request/forward.js';
import { Allowance } from './allowance.js';
import type { MuxEvents } from './mux-events.js';
import type { Redactors } from './session-messages.js';
import { shownAnswer, shownRequest } from './shown-message.js';

/** The maximum rate of calls whose events have the costly details session, client and size. */
export const DETAILED_RATE = { atOnce: 100, perSecond: 20 };
/** The maximum rate of calls whose arguments and results are copied into events. A copy costs more than forwarding. */
export const BODY_RATE = { atOnce: 50, perSecond: 5 };

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

/** Emits events when calls begin and end. Costs almost nothing without listeners. */
export class CallEvents implements CallObserver {
  private calls = 0;
  private readonly detailed = new Allowance(DETAILED_RATE);
  private readonly withBody = new Allowance(BODY_RATE);

  constructor(
    readonly audience: MuxEvents,
    private readonly clock: Clock,
    private readonly redactors: Pick<Redactors, 'current'>,
  ) {}

  callStarted(server: string, tool: string, observed?: ObservedCall): CallEndListener | undefined {
    const { audience: events, clock } = this;
    if (!events.hasListeners) return undefined;
    this.calls += 1;
    const call = this.calls;
    const start = clock.now();
    const isDetailed =
      observed !== undefined && events.includesDetails !== false && this.detailed.take(start);
    const hasBody = isDetailed && events.includesDetails === true && this.withBody.take(start);
    const request = isDetailed
      ? shownRequest(observed, hasBody ? this.redactors.current() : undefined)
      : undefined;
    const layer = observed?.upstream.layer;
    const place = layer === undefined || layer.isShared ? undefined : { layer: layer.id };
    events.emit('call:start', { server, ...place, tool, call, ...request });
    return (ending, line, answered) => {
      const ms = Math.round((clock.now() - start) * 10) / 10;
      const span = answered?.result ?? answered?.error;
      const isShown =
        observed !== undefined && line !== undefined && span !== undefined && request !== undefined;
      // The redactor for the request does not know the secrets of a server that was added during the call.
      const redactor = isShown && 'arguments' in request ? this.redactors.current() : undefined;
      const answer = isShown ? shownAnswer(line, span, redactor) : undefined;
      const problem = line && answered && callProblem(line, answered, () => observed?.upstream.secrets ?? []);
      const problemMember = problem === undefined ? undefined : { problem };
      events.emit('call:end', { server, ...place, tool, call, ms, ending, ...problemMember, ...answer });
    };
  }
}

/**
 * Returns the first line of the error text of a failed call, or undefined if the call has not failed. The check of a
 * successful call searches a bounded number of bytes.
 */
export function callProblem(
  line: Buffer,
  { result, error }: CallAnswer,
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
