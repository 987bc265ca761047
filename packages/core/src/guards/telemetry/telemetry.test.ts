import { context, propagation, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { GuardAnswer } from '../guard.js';
import { GuardRefusal } from '../guard-refusal.js';
import { guardContext, type GuardContextInit } from '../../testing/guard-context.js';
import { telemetry } from './telemetry.js';

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 31 - 1 });
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).getTracer(
  'test',
);
const meter = new MeterProvider({ readers: [reader] }).getMeter('test');

beforeAll(() => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
beforeEach(async () => {
  spans.reset();
  await reader.forceFlush();
  measured.reset();
});
afterAll(async () => {
  propagation.disable();
  context.disable();
  await reader.shutdown();
});

function answer(init: Partial<GuardAnswer> = {}): GuardAnswer {
  return { kind: 'result', isToolError: false, bytes: 2, json: Buffer.from('{}'), ...init };
}

/** Sends a request through the guard, and gives its span. */
async function traced(init: GuardContextInit, next: () => Promise<GuardAnswer>) {
  const { handle } = telemetry({ tracer, meter });
  await Promise.resolve(handle?.(guardContext(init), next)).catch(() => undefined);
  const [span] = spans.getFinishedSpans();
  if (span === undefined) throw new Error('there is no span');
  return span;
}

async function durations(): Promise<readonly unknown[]> {
  await reader.forceFlush();
  return measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics)
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes }) => ({ name: descriptor.name, unit: descriptor.unit, attributes })),
    );
}

describe('a request', () => {
  it('A12: has a span by the conventions for MCP, and is measured', async () => {
    const call = { server: 'files', tool: 'read', params: { arguments: { path: '/secret' } } };
    const span = await traced(call, () => Promise.resolve(answer()));
    const said = {
      'mcp.method.name': 'tools/call',
      'mcpmux.server': 'files',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read',
    };
    expect(span).toMatchObject({
      name: 'tools/call read',
      kind: SpanKind.SERVER,
      status: { code: SpanStatusCode.UNSET },
    });
    expect(span.attributes).toEqual({ ...said, 'mcp.session.id': '1', 'enduser.id': 'local' });
    expect(await durations()).toEqual([
      { name: 'mcp.server.operation.duration', unit: 's', attributes: said },
    ]);
  });

  it('that names no tool is known by its method', async () => {
    const span = await traced({ method: 'resources/read' }, () => Promise.resolve(answer()));
    expect(span.name).toBe('resources/read');
    expect(span.attributes).not.toHaveProperty('gen_ai.tool.name');
  });

  it('is part of the trace that its _meta names, and so is what comes of it', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const spanId = 'b7ad6b7169203331';
    const params = { _meta: { traceparent: `00-${traceId}-${spanId}-01`, progressToken: 1 } };
    const span = await traced({ params }, () => {
      tracer.startSpan('inside').end();
      return Promise.resolve(answer());
    });
    expect(span.name).toBe('inside');
    const [, outer] = spans.getFinishedSpans();
    expect(outer?.spanContext().traceId).toBe(traceId);
    expect(outer?.parentSpanContext?.spanId).toBe(spanId);
    expect(span.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  it.each([{ _meta: 7 }, { _meta: { traceparent: 7 } }, { _meta: { traceparent: 'no' } }, {}])(
    'with params %j begins a trace of its own',
    async (params) => {
      const span = await traced({ params }, () => Promise.resolve(answer()));
      expect(span.parentSpanContext).toBeUndefined();
    },
  );
});

describe('an error', () => {
  it.each([
    ['tool_error', () => Promise.resolve(answer({ isToolError: true }))],
    [
      '-32602',
      () =>
        Promise.resolve(answer({ kind: 'error', json: Buffer.from('{"code":-32602,"message":"secret"}') })),
    ],
    ['rate-limited', () => Promise.reject(new GuardRefusal('wait', { reason: 'rate-limited' }))],
    ['TypeError', () => Promise.reject(new TypeError('secret'))],
  ])('is told as %s, without its text', async (type, next) => {
    const span = await traced({ tool: 'read' }, next);
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes['error.type']).toBe(type);
    expect(JSON.stringify([span.attributes, span.events])).not.toContain('secret');
    expect(await durations()).toMatchObject([{ attributes: { 'error.type': type } }]);
  });

  it('is told as cancelled when nobody wants the answer any more', async () => {
    const span = await traced({ signal: AbortSignal.abort() }, () => Promise.reject(new Error('gone')));
    expect(span.attributes['error.type']).toBe('cancelled');
  });
});
