import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { TaskLedger } from './task-ledger.js';

describe('the ledger of tasks', () => {
  it('holds what was told last, of each server by itself, until the server begins anew', () => {
    const ledger = new TaskLedger();
    const [one, other] = [new StandInUpstream('one'), new StandInUpstream('other')];
    ledger.set(one, { report: { taskId: 'a', status: 'working' } }, 'me');
    ledger.set(other, { report: { taskId: 'a', status: 'failed' } }, 'me');
    ledger.set(one, { report: { taskId: 'a', status: 'cancelled' } }, 'me');
    expect(ledger.tasksOf(one)).toEqual([{ report: { taskId: 'a', status: 'cancelled' } }]);
    ledger.forget(one);
    expect(ledger.get(one, 'a')).toBeUndefined();
    expect(ledger.get(other, 'a')?.report['status']).toBe('failed');
  });

  it('forgets the oldest task of a server with too many', () => {
    const ledger = new TaskLedger();
    const one = new StandInUpstream('one');
    for (let task = 0; task <= 1000; task += 1) ledger.set(one, { report: { taskId: String(task) } }, 'me');
    expect(ledger.get(one, '0')).toBeUndefined();
    expect(ledger.tasksOf(one)).toHaveLength(1000);
  });

  it('remembers fewer tasks the larger their early results are', () => {
    const ledger = new TaskLedger();
    const one = new StandInUpstream('one');
    const result = Buffer.alloc(4 * 1024 * 1024);
    for (let task = 0; task < 8; task += 1)
      ledger.set(one, { report: { taskId: String(task) }, result }, 'me');
    expect(ledger.tasksOf(one).map(({ report }) => report.taskId)).toEqual(['5', '6', '7']);
  });
});
