import { describe, expect, it } from 'vitest';

import { ToolUses } from './tool-uses.js';

function counted(): {
  readonly uses: ToolUses;
  readonly call: (server: string, tool: string, times?: number) => void;
} {
  let count: (server: string, tool: string) => void = () => undefined;
  const uses = new ToolUses((counter) => (count = counter));
  uses.getCount('any');
  return {
    uses,
    call: (server, tool, times = 1) => {
      for (let done = 0; done < times; done += 1) count(server, tool);
    },
  };
}

describe('the uses of tools', () => {
  it('are those of a server, the most used first', () => {
    const { uses, call } = counted();
    call('a', 'one');
    call('a', 'two', 3);
    call('ab', 'one', 9);
    expect(Object.entries(uses.countsForServer('a') ?? {})).toEqual([
      ['two', 3],
      ['one', 1],
    ]);
    expect(uses.countsForServer('c')).toBeUndefined();
  });

  it('go on from those of an earlier mux', () => {
    const { uses, call } = counted();
    call('a', 'now');
    uses.restoreCounts('a', { now: 50, before: 7, never: 0 });
    expect(uses.countsForServer('a')).toEqual({ now: 1, before: 7 });
    call('a', 'before');
    expect(uses.getCount('a__before')).toBe(8);
  });

  it('are halved when a tool was called a thousand times, so that old habits pass', () => {
    const { uses, call } = counted();
    call('a', 'rare');
    call('b', 'some', 10);
    call('a', 'often', 1001);
    expect([uses.getCount('a__often'), uses.getCount('b__some'), uses.getCount('a__rare')]).toEqual([
      500, 5, 0,
    ]);
  });
});
