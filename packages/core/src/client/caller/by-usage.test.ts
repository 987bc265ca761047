import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { byUsage } from './by-usage.js';
import type { Caller } from './caller.js';

function caller(uses?: Readonly<Record<string, number>>): Caller {
  const selection = uses && { callCountOf: (tool: string) => uses[tool] ?? 0 };
  return { era: 'legacy', view: { catalog: { selectionFor: () => selection } } } as unknown as Caller;
}

const SERVERS = ['a', 'b', 'c'].map((name) => new StandInUpstream(name, { tools: ['x', 'y'] }));

describe('servers by use', () => {
  it('begin with those whose tools are called most; the others stay in their order', () => {
    const sorted = byUsage(SERVERS, caller({ c__x: 1, c__y: 2, b__x: 1 }));
    expect(sorted.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(byUsage(SERVERS, caller({ c__x: 1 })).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });

  it('stay in their order where calls are not counted', () => {
    expect(byUsage(SERVERS, caller())).toBe(SERVERS);
  });
});
