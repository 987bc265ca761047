import { expect, it } from 'vitest';

import { guardContext, type GuardContextInit } from '../testing/guard-context.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { resultAnswer } from './answers.js';
import { callAudit, type CallRecord } from './call-audit.js';
import { GuardRefusal } from './guard-refusal.js';
import type { GuardAnswer } from './guard.js';

const aborted = AbortSignal.abort();
const OK = resultAnswer(Buffer.from('{}'));

it.each<[string, () => GuardAnswer, GuardContextInit, Partial<CallRecord>]>([
  ['an answer', () => OK, {}, { outcome: 'ok', answerBytes: 2 }],
  ['a result with isError', () => resultAnswer(Buffer.from('{}'), true), {}, { outcome: 'tool-error' }],
  ['an error', () => ({ ...OK, kind: 'error' }), {}, { outcome: 'error' }],
  [
    'a refusal',
    () => {
      throw new GuardRefusal('no', { reason: 'rate-limited' });
    },
    {},
    { outcome: 'refused', reason: 'rate-limited' },
  ],
  [
    'a cancellation',
    () => {
      throw new Error('over');
    },
    { signal: aborted },
    { outcome: 'cancelled' },
  ],
  [
    'a defect',
    () => {
      throw new Error('defect');
    },
    {},
    { outcome: 'failed' },
  ],
])('A6: a sink is told of %s, without params and results', async (_, next, init, expected) => {
  const clock = new ManualClock();
  const records: CallRecord[] = [];
  const { handle } = callAudit({ sink: (record) => records.push(record), clock });
  const context = guardContext({ server: 's', tool: 't', params: { secret: 'x' }, ...init });
  await Promise.resolve(
    handle?.(context, async () => {
      clock.advance(7);
      return next();
    }),
  ).catch(() => undefined);
  const about = {
    session: 1,
    principal: 'local',
    method: 'tools/call',
    server: 's',
    tool: 't',
    requestBytes: 100,
  };
  expect(records).toEqual([expect.objectContaining({ ...about, ...expected, ms: 7 })]);
  expect(JSON.stringify(records)).not.toContain('secret');
});
