import {
  context,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Meter,
  type Tracer,
} from '@opentelemetry/api';
import { type Clock, isRecord, systemClock } from '@mcpmux/kit';
import type { Guard, GuardContext, GuardAnswer } from '../guard.js';
import { GuardRefusal } from '../guard-refusal.js';

/** Options of {@link telemetry}. */
export interface TelemetryOptions {
  /** Default: the tracer of the global provider. */
  readonly tracer?: Tracer;
  /** Default: the meter of the global provider. */
  readonly meter?: Meter;
  readonly clock?: Clock;
}

/** Keys of W3C Trace Context and W3C Baggage, which MCP reserves in `_meta`. */
const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'] as const;

const INSTRUMENTATION_SCOPE = '@mcpmux/core';
const BUCKETS_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/**
 * Returns a guard that creates a span for every client request except `initialize` and `ping`, and records its duration
 * (`mcp.server.operation.duration`, in seconds). It must be the outermost guard to record refusals by other guards.
 *
 * The span joins the trace that the request names in its `_meta`. The server gets that `_meta` unchanged. Params and
 * results are not recorded. Requires `@opentelemetry/api` and an SDK that the host has set up.
 */
export function telemetry({
  tracer = trace.getTracer(INSTRUMENTATION_SCOPE),
  meter = metrics.getMeter(INSTRUMENTATION_SCOPE),
  clock = systemClock,
}: TelemetryOptions = {}): Guard {
  const duration = meter.createHistogram('mcp.server.operation.duration', {
    description: 'Time from the arrival of a request to its answer.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS_SECONDS },
  });
  return {
    handle: async (request, next) => {
      const startedAt = clock.now();
      const attributes = requestAttributes(request);
      const parent = parentOf(request);
      const session = { 'mcp.session.id': String(request.session), 'enduser.id': request.principal.id };
      const options = { kind: SpanKind.SERVER, attributes: { ...attributes, ...session } };
      const span = tracer.startSpan(spanName(request), options, parent);
      const endSpan = (ending: Attributes): void => {
        if ('error.type' in ending) span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttributes(ending).end();
        duration.record((clock.now() - startedAt) / 1000, { ...attributes, ...ending });
      };
      try {
        const answer = await context.with(trace.setSpan(parent, span), next);
        endSpan(answerAttributes(answer));
        return answer;
      } catch (error) {
        endSpan(failureAttributes(error, request));
        throw error;
      }
    },
  };
}

/** Returns a context with the parent span that a request names in its `_meta`, or else the active context. */
function parentOf({ readRaw }: GuardContext): Context {
  const active = context.active();
  const text = readRaw('_meta');
  const meta: unknown = text && JSON.parse(text.toString('utf8'));
  if (!isRecord(meta)) return active;
  const carrier = Object.fromEntries(
    TRACE_KEYS.flatMap((key) => (typeof meta[key] === 'string' ? [[key, meta[key]]] : [])),
  );
  return propagation.extract(active, carrier);
}

/**
 * Returns a span's name: the method, and the tool or prompt. It omits URIs, which would create too many distinct names.
 */
function spanName({ method, tool }: GuardContext): string {
  return tool === undefined ? method : `${method} ${tool}`;
}

/**
 * Returns the attributes that a request's span and duration have in common. Each has few distinct values, and none
 * comes from arguments or results.
 *
 * The names follow the semantic conventions for MCP (OpenTelemetry, in development), except `mcpmux.server`.
 */
function requestAttributes({ method, server, tool }: GuardContext): Attributes {
  return {
    'mcp.method.name': method,
    ...(server !== undefined && { 'mcpmux.server': server }),
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(tool !== undefined && {
      [method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name']: tool,
    }),
  };
}

/** Returns the error attributes of an answer; empty if the answer is not an error. */
function answerAttributes(answer: GuardAnswer): Attributes {
  if (answer.kind === 'error') {
    const code = rpcErrorCodeOf(answer);
    return { 'error.type': code, 'rpc.response.status_code': code };
  }
  return answer.isToolError ? { 'error.type': 'tool_error' } : {};
}

/** Returns the attributes of a request that failed without an answer. */
function failureAttributes(error: unknown, { signal }: GuardContext): Attributes {
  if (signal.aborted) return { 'error.type': 'cancelled' };
  if (error instanceof GuardRefusal) return { 'error.type': String(error.data['reason']) };
  return { 'error.type': error instanceof Error ? error.name : '_OTHER' };
}

function rpcErrorCodeOf(answer: GuardAnswer): string {
  const error: unknown = JSON.parse(answer.json.toString('utf8'));
  return isRecord(error) ? String(error['code']) : '_OTHER';
}
