import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isTerminal, toLegacyTask, toModernTask } from './task-shapes.js';

const MODERN = {
  taskId: 't',
  status: 'working',
  statusMessage: 'half',
  createdAt: 'a',
  lastUpdatedAt: 'b',
  ttlMs: 5,
  pollIntervalMs: 7,
};
const LEGACY = {
  taskId: 'id',
  status: 'working',
  statusMessage: 'half',
  createdAt: 'a',
  lastUpdatedAt: 'b',
  ttl: 5,
  pollInterval: 7,
};

describe('a task in the words of the other era', () => {
  it('has the id that its client knows, and nothing that only its own era has', () => {
    const more = { resultType: 'complete', result: { content: [] }, inputRequests: {}, _meta: {} };
    expect(toLegacyTask({ ...MODERN, ...more }, 'id')).toEqual(LEGACY);
    expect(toModernTask({ ...LEGACY, _meta: {} }, 't')).toEqual(MODERN);
  });

  it('has failed in the legacy era when its tool has', () => {
    const failed = { ...MODERN, status: 'completed', result: { isError: true } };
    expect(toLegacyTask(failed, 'id').status).toBe('failed');
    expect(toLegacyTask({ ...failed, result: { isError: false } }, 'id').status).toBe('completed');
  });

  it('has times and a time to live, though its server forgets them', () => {
    const known = { createdAt: expect.any(String), lastUpdatedAt: expect.any(String) };
    expect(toLegacyTask({ status: 'working' }, 'id')).toMatchObject({ ...known, ttl: null });
    expect(toModernTask({ status: 'working' }, 'id')).toMatchObject({ ...known, ttlMs: null });
  });

  it('is the same after the way there and back', () => {
    const task = fc.record(
      {
        taskId: fc.string(),
        status: fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled'),
        statusMessage: fc.string(),
        createdAt: fc.string(),
        lastUpdatedAt: fc.string(),
        ttl: fc.option(fc.nat()),
        pollInterval: fc.nat(),
      },
      { requiredKeys: ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl'] },
    );
    fc.assert(
      fc.property(task, (one) => {
        expect(toLegacyTask(toModernTask(one, one.taskId), one.taskId)).toEqual(one);
      }),
    );
  });

  it('has ended or goes on', () => {
    expect(['completed', 'failed', 'cancelled'].every(isTerminal)).toBe(true);
    expect(['working', 'input_required', undefined].some(isTerminal)).toBe(false);
  });
});
