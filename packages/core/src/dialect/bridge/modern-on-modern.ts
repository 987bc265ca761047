import { type BorrowedLine, type Edit, ErrorCode, errorLine, type Span } from '@mcpmux/wire';
import type { Bridge, Crossing, CrossingCall } from '../../downstream/request/crossing.js';
import type { Exchange } from '../../downstream/request/exchange.js';
import type { ServerResponse } from '../../upstream/link/pending-call.js';
import type { Upstream } from '../../upstream/upstream.js';
import { NO_CLIENT } from '../client-profile.js';
import { ENVELOPE } from '../envelope-keys.js';
import type { ClientEnvelopes } from './client-envelopes.js';
import { internalError } from './error-codes.js';
import { inputEdits, inputProblem, readInputRequests, type InputRequest } from './input-requests.js';
import { envelopeEdits } from './request-envelope.js';
import { readModernResult, repairedResult } from './result-type.js';

/** The bridge between two sides of the modern era: mcpmux describes the client, and completes what servers forget. */
export function modernOnModern(envelopes: ClientEnvelopes): Bridge {
  return (exchange, upstream) => new ModernOnModern(exchange, upstream, envelopes);
}

class ModernOnModern implements Crossing {
  readonly edits: readonly Edit[];

  constructor(
    private readonly exchange: Exchange,
    private readonly upstream: Upstream,
    envelopes: ClientEnvelopes,
  ) {
    const { line, params, caller } = exchange;
    const { profile = NO_CLIENT } = caller;
    const members = envelopes.membersOf(profile, upstream.config.denyRequests);
    const spans = [ENVELOPE.version, ENVELOPE.info, ENVELOPE.capabilities].map((key) => ({
      span: params.get(`_meta.${key}`),
      bytes: members[key],
    }));
    const found = spans.flatMap(({ span, bytes }) =>
      span === undefined || bytes === undefined ? [] : [{ span, bytes }],
    );
    // A request that mcpmux itself has read as another one, or without a name of the client.
    this.edits = found.length === spans.length ? found : envelopeEdits(line, members);
  }

  answered(
    call: CrossingCall,
    line: BorrowedLine,
    { result, error }: ServerResponse,
  ): readonly Edit[] | undefined {
    if (result === undefined) return error === undefined ? [] : internalError(line, error);
    const read = readModernResult(line, result);
    const [asked] = read.type === 'input_required' ? (read.members.get('inputRequests') ?? []) : [];
    if (asked === undefined) return repairedResult(line, result, read, this.exchange.method);
    return this.labelled(call, line, asked);
  }

  /** The questions of the server with its name, for the client that is to put them to its user. */
  private labelled(call: CrossingCall, line: BorrowedLine, asked: Span): readonly Edit[] | undefined {
    const { exchange, upstream } = this;
    const capabilities = exchange.caller.profile?.capabilities ?? {};
    const requests = readInputRequests(line, asked);
    const problem =
      requests === undefined ? 'its inputRequests cannot be read' : this.problemWith(requests, capabilities);
    if (problem === undefined)
      return (requests ?? []).flatMap((request) =>
        inputEdits(request, upstream, call.connection, capabilities).map(({ span, bytes }) => ({
          span: { start: span.start + request.shift, end: span.end + request.shift },
          bytes,
        })),
      );
    const message = `Server "${upstream.name}" needs input for this, and ${problem}.`;
    call.finish(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
    return undefined;
  }

  private problemWith(
    requests: readonly InputRequest[],
    capabilities: Readonly<Record<string, unknown>>,
  ): string | undefined {
    for (const request of requests) {
      const problem = inputProblem(request, this.upstream, capabilities);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}
