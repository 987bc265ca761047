import {
  type BorrowedLine,
  type Edit,
  ErrorCode,
  errorLine,
  type OwnedLine,
  resultLine,
  type Span,
  toOwned,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { errorResultJson } from '../../downstream/caller/tool-result.js';
import type { Bridge, Crossing, CrossingCall } from '../../downstream/request/crossing.js';
import type { Exchange } from '../../downstream/request/exchange.js';
import { routeToolCall } from '../../routing/route-tool-call.js';
import type { OutgoingCall } from '../../upstream/link/calls.js';
import type { ServerResponse } from '../../upstream/link/pending-call.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { ClientEnvelopes } from './client-envelopes.js';
import { errorCodeAt, internalError, requiredIn } from './error-codes.js';
import { InputRounds, type RoundParts } from './input-rounds.js';
import { envelopeEdits } from './request-envelope.js';
import { readModernResult, strippedResult } from './result-type.js';
import { wrappedResult } from './wrapped-result.js';

/** The requests whose results may ask for input. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const PROGRESS = valuePaths([['params', 'progress']]);

/** The bridge from clients with sessions to servers of the modern era. */
export function legacyOnModern(envelopes: ClientEnvelopes, parts: RoundParts): Bridge {
  return (exchange, upstream) => new LegacyOnModern(exchange, upstream, envelopes, parts);
}

/** A request of a legacy client to a modern server: mcpmux is the modern client. */
class LegacyOnModern implements Crossing {
  readonly edits: readonly Edit[];
  private readonly isWrapped: boolean;
  private rounds: InputRounds | undefined;
  private lastProgress = -Infinity;

  constructor(
    private readonly exchange: Exchange,
    private readonly upstream: Upstream,
    envelopes: ClientEnvelopes,
    private readonly parts: RoundParts,
  ) {
    this.edits = envelopeEdits(exchange.line, envelopes.membersFor(exchange.caller, upstream, 'without'));
    this.isWrapped = isWrappedTool(exchange);
  }

  sent(request: OutgoingCall): void {
    const { exchange, upstream, parts } = this;
    if (MAY_ASK.has(exchange.method)) this.rounds = new InputRounds(exchange, upstream, request, parts);
  }

  answered(
    call: CrossingCall,
    line: BorrowedLine,
    { result, error }: ServerResponse,
  ): readonly Edit[] | undefined {
    if (result === undefined) return error === undefined ? [] : this.failed(call, line, error);
    const { rounds, exchange } = this;
    const read = readModernResult(line, result);
    if (read.type === 'complete') {
      rounds?.over();
      const stripped = strippedResult(line, read, exchange.method);
      if (exchange.method !== 'tools/call') return stripped;
      // What is inserted comes before what is cut out at the same place.
      return [...wrappedResult(line, result, this.isWrapped), ...stripped];
    }
    if (read.type === 'input_required' && rounds !== undefined) {
      rounds.next(call, toOwned(line), read);
      return undefined;
    }
    const message = `Server "${this.upstream.name}" answered with an unsupported result type (${read.type})`;
    call.finish(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
    return undefined;
  }

  progressed(line: OwnedLine): boolean {
    const [found] = valueSpans(line, { start: 0, end: line.length }, PROGRESS);
    const progress = found && Number(line.toString('latin1', found.span.start, found.span.end));
    // Each round of a server begins anew, and for the client it is one request.
    if (progress === undefined || (this.rounds?.hasBegun === true && progress <= this.lastProgress))
      return false;
    this.lastProgress = progress;
    return true;
  }

  aborted(): void {
    this.rounds?.abort();
  }

  private failed(call: CrossingCall, line: BorrowedLine, error: Span): readonly Edit[] | undefined {
    const { exchange, upstream } = this;
    const found = errorCodeAt(line, error);
    if (found?.code !== ErrorCode.MissingCapability) return internalError(line, error);
    if (exchange.method !== 'tools/call')
      return [{ span: found.span, bytes: String(ErrorCode.InternalError) }];
    const text = `Server "${upstream.name}" needs what the client behind mcpmux does not have: ${requiredIn(line, error)}.`;
    call.finish(resultLine(exchange.id, errorResultJson(text)));
    return undefined;
  }
}

/** Whether the client was shown another `outputSchema` than the server's. */
function isWrappedTool(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.text('name');
  const route = name && routeToolCall(name.text, exchange.caller.view.directory);
  return route?.kind === 'forward' && route.entry.definition.forOthers !== undefined;
}
