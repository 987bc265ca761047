import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { createMux } from './mux.js';
import type { MuxEventMap } from './mux-events.js';

it('every call is told when it begins and when it ends, and how', async () => {
  await using mux = createMux();
  await mux.addServer('echo', fixtureCommand('echo'));
  await mux.addServer('crash', fixtureCommand('crash'));
  const begun: MuxEventMap['call:start'][] = [];
  const ended: MuxEventMap['call:end'][] = [];
  mux.on('call:start', (event) => begun.push(event));
  mux.on('call:end', (event) => ended.push(event));
  await mux.callTool('echo__echo', { message: 'hi' });
  await mux.callTool('crash__crash');
  const abort = new AbortController();
  const cancelled = mux.callTool(
    'echo__slow_echo',
    { message: 'hi', delay_ms: 60_000 },
    { signal: abort.signal },
  );
  await expect.poll(() => begun.length).toBe(3);
  abort.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect.poll(() => ended.length).toBe(3);
  expect(begun.map(({ server, tool }) => [server, tool])).toEqual([
    ['echo', 'echo'],
    ['crash', 'crash'],
    ['echo', 'slow_echo'],
  ]);
  expect(ended.map(({ call, ending }) => [call, ending])).toEqual([
    [1, 'result'],
    [2, 'failed'],
    [3, 'cancelled'],
  ]);
  expect(ended.every(({ ms }) => ms >= 0)).toBe(true);
});
