import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  BasicTracerProvider,
} from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';

import { rateLimit } from '../guards/index.js';
import { telemetry } from '../guards/telemetry/index.js';
import { MuxRig } from '../testing/mux-rig.js';

it('A12: with telemetry each request has a span, refused ones too', async () => {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  await using rig = await MuxRig.open();
  await rig.add('e', 'echo');
  rig.mux.use(telemetry({ tracer: provider.getTracer('test') }));
  rig.mux.use(rateLimit({ perSecond: 0.001, burst: 1 }));
  const call = { name: 'e__echo', arguments: { message: 'hi' }, _meta: { traceparent: 'as it came' } };
  expect(await rig.client.request('tools/call', call)).toMatchObject({
    result: { content: [{ text: 'hi' }] },
  });
  expect(await rig.client.request('tools/call', call)).toMatchObject({ error: {} });
  await rig.client.request('ping', {});
  const reported = spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes['error.type']]);
  expect(reported).toEqual([
    ['tools/call echo', undefined],
    ['tools/call echo', 'rate-limited'],
  ]);
});
