import { routeToolCall, type ToolDirectory } from '../routing/route-tool-call.js';
import type { ExposedTool } from '../catalog/exposed-tool.js';
import type { Logger } from '../logger.js';
import { explain } from '../upstream/run-failure.js';
import type { Upstream } from '../upstream/upstream.js';
import { paramsOf } from '../wire/params.js';
import { ErrorCode, errorLine, resultLine } from '../wire/json-rpc.js';
import { stringAt, type ParamSpans } from '../wire/message.js';
import type { IdText } from '../wire/request-id.js';
import type { Span } from '../wire/span.js';
import { failureAnswer, unavailableText } from './failure-answer.js';
import { ForwardedCall, type CallOwner } from './forwarded-call.js';
import type { InFlightRequest } from './in-flight-request.js';
import { OwnCall } from './own-call.js';
import type { OwnToolHandler } from './own-tool-handler.js';
import { errorResultJson } from './tool-result.js';

/** What a {@link ToolCaller} works with. */
export interface ToolCallerComponents {
  readonly directory: ToolDirectory;
  readonly ownTools: OwnToolHandler;
  readonly logger: Logger;
}

/** What became of a `tools/call`: it is on its way, or here is its answer. */
export type CallOutcome = { readonly inFlight: InFlightRequest } | { readonly answer: Buffer };

/** Carries out `tools/call` requests of one session. */
export class ToolCaller {
  constructor(
    private readonly owner: CallOwner,
    private readonly components: ToolCallerComponents,
  ) {}

  call(id: IdText, line: Buffer, params: ParamSpans, idSpan: Span): CallOutcome {
    const nameSpan = params.get('name');
    const name = nameSpan === undefined ? undefined : stringAt(line, nameSpan);
    if (nameSpan === undefined || name === undefined)
      return invalidParams(id, 'params.name must be a string');
    const progressToken = params.get('_meta.progressToken');
    const route = routeToolCall(name, this.components.directory);
    switch (route.kind) {
      case 'own':
        return this.callOwn(id, line, name, progressToken);
      case 'forward':
        return this.forward(id, route.tool, { line, id: idSpan, name: nameSpan, progressToken });
      case 'unavailable':
        return { answer: resultLine(id, errorResultJson(whyUnavailable(route.upstream))) };
      case 'unknown':
        return invalidParams(id, route.message);
    }
  }

  private callOwn(id: IdText, line: Buffer, name: string, progressToken: Span | undefined): CallOutcome {
    const args = paramsOf(line)['arguments'];
    const call = new OwnCall(this.owner, id, progressToken && textAt(line, progressToken));
    // Not before the request stands in the table of those in flight.
    queueMicrotask(() => void call.run(this.components.ownTools, name, args));
    return { inFlight: call };
  }

  private forward(id: IdText, tool: ExposedTool, request: ToolRequest): CallOutcome {
    const { line, progressToken } = request;
    const { connection, name: server } = tool.upstream;
    if (connection === undefined)
      return { answer: resultLine(id, errorResultJson(whyUnavailable(tool.upstream))) };
    const token =
      progressToken === undefined
        ? undefined
        : Buffer.from(line.subarray(progressToken.start, progressToken.end));
    const call = new ForwardedCall(this.owner, { id, progressToken: token }, server, connection);
    const edits = [{ span: request.name, bytes: tool.definition.nameJson }];
    const sent = connection.call({ line, id: request.id, progressToken, edits }, call);
    if (typeof sent !== 'number') return { answer: failureAnswer(id, server, sent) };
    call.sentAs(sent);
    const { logger } = this.components;
    if (logger.enabled('debug'))
      logger.log('debug', 'call', { server, tool: tool.definition.localName, call: sent });
    return { inFlight: call };
  }
}

interface ToolRequest {
  readonly line: Buffer;
  readonly id: Span;
  readonly name: Span;
  readonly progressToken: Span | undefined;
}

function whyUnavailable({ name, state }: Upstream): string {
  if (state.kind === 'crashed') return explain(name, state.failure);
  return unavailableText(name, state.kind === 'removed' ? 'removed' : 'starting');
}

function invalidParams(id: IdText, message: string): CallOutcome {
  return { answer: errorLine(id, { code: ErrorCode.InvalidParams, message }) };
}

function textAt(line: Buffer, span: Span): string {
  return line.toString('utf8', span.start, span.end);
}
