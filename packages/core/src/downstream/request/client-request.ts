import {
  ErrorCode,
  errorLine,
  type OutgoingLine,
  type ParamSpans,
  type RawId,
  type Span,
  stringAt,
} from '@mcpmux/wire';
import type { Upstream } from '../../upstream/upstream.js';
import type { InFlightRequest } from './in-flight-request.js';

/** One request of a client: the line, and where in it the values stand that mcpmux looks at. */
export interface ClientRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly idSpan: Span;
  readonly method: string;
  readonly params: ParamSpans;
}

/** What became of a request: it is on its way, or here is its answer. */
export type Outcome =
  | { readonly inFlight: InFlightRequest }
  /** `notRunning` is the server that would have answered in place of mcpmux, if it ran. */
  | { readonly answer: OutgoingLine; readonly notRunning?: Upstream };

/** A text in the params of a request, and where it stands. */
export interface TextParam {
  readonly text: string;
  readonly span: Span;
}

/** The text at a path of the params; `undefined` when there is none, or something else. */
export function textParam({ line, params }: ClientRequest, path: string): TextParam | undefined {
  const span = params.get(path);
  const text = span && stringAt(line, span);
  return span === undefined || text === undefined ? undefined : { text, span };
}

/** The answer to a request whose params are wrong: a protocol error, as the specification has it for unknown names. */
export function invalidParams(id: RawId, message: string, data?: unknown): Outcome {
  return {
    answer: errorLine(id, { code: ErrorCode.InvalidParams, message, ...(data !== undefined && { data }) }),
  };
}
