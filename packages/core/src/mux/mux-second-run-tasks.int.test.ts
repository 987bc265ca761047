import { PassThrough } from 'node:stream';

import { forEachLine } from '@mcpmux/testing/each-line';
import { expect, it } from 'vitest';

import { DualClient, FRONT, statusOf } from '../testing/dual-client.js';
import { createMux } from './mux.js';

interface Asked {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly task?: object };
}

const DATE = '2026-01-01T00:00:00Z';
const TASK = { taskId: '1', status: 'working', createdAt: DATE, lastUpdatedAt: DATE, ttl: 60_000 };
const TOOL = { name: 'era', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } };
const STAMP = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** A server of both eras, one in each connection, which has tasks in the legacy era. */
function connected() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let isLegacy = false;
  const results: Readonly<Record<string, (asked: Asked) => object>> = {
    'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...STAMP }),
    initialize: () => {
      isLegacy = true;
      const serverInfo = { name: 'dual', version: '1' };
      return { protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks: TASKS }, serverInfo };
    },
    'tools/list': () => ({ tools: [TOOL], ...(isLegacy ? {} : STAMP) }),
    'tools/call': ({ params }) =>
      params?.task === undefined ? { content: [{ type: 'text', text: 'said' }], ...STAMP } : { task: TASK },
    'tasks/list': () => ({ tasks: [TASK] }),
    'tasks/get': () => TASK,
  };
  forEachLine(input, (line) => {
    const asked = JSON.parse(line) as Asked;
    if (asked.id === undefined) return;
    const result = results[asked.method]?.(asked);
    const error = { code: -32_601, message: 'unknown' };
    output.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...(result ? { result } : { error }) })}\n`,
    );
  });
  return Promise.resolve({ input: output, output: input });
}

it('the tasks of a second run are those of its clients: made, listed and read', async () => {
  await using mux = createMux(FRONT);
  await mux.addServer('v', { address: 'test:v', advice: '', open: connected });
  const modern = await DualClient.open(mux, 'modern');
  expect(await modern.call('era')).toBe('said');
  const { wire } = await DualClient.open(mux, 'legacy');
  const { result } = await wire.request('tools/call', { name: 'v__era', arguments: {}, task: {} });
  const { taskId } = (result?.['task'] ?? {}) as { readonly taskId?: string };
  expect(statusOf(mux)).toMatchObject({ era: 'modern', second_run: { era: 'legacy' } });
  expect((await wire.request('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' });
  expect((await wire.request('tasks/list')).result).toMatchObject({ tasks: [{ taskId }] });
});
