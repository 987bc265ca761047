import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fittingTools } from './exposure-rule.js';

const TOOLS = ['a', 'b', 'c', 'd'].map((name) => ({ name, tokens: 10 }));

describe('the tools that fit into a budget', () => {
  it('are the first of the list while none was used', () => {
    expect([...fittingTools(TOOLS, 25, () => 0)]).toEqual(['a', 'b']);
  });

  it('are the most used ones, then those in the order of the list', () => {
    const uses = new Map([
      ['d', 2],
      ['c', 1],
    ]);
    expect([...fittingTools(TOOLS, 30, (name) => uses.get(name) ?? 0)]).toEqual(['d', 'c', 'a']);
  });

  it('leave the room of a tool that is too large to those behind it', () => {
    const tools = [{ name: 'large', tokens: 50 }, ...TOOLS];
    expect([...fittingTools(tools, 20, (name) => (name === 'large' ? 9 : 0))]).toEqual(['a', 'b']);
  });

  it('never need more than the budget, and are the same for the same question', () => {
    const tool = fc.record({ name: fc.string(), tokens: fc.nat(100), uses: fc.nat(3) });
    const tools = fc.uniqueArray(tool, { selector: ({ name }) => name });
    fc.assert(
      fc.property(tools, fc.integer({ min: -10, max: 500 }), (all, budget) => {
        const uses = (name: string): number => all.find((one) => one.name === name)?.uses ?? 0;
        const fitting = fittingTools(all, budget, uses);
        const sum = all.filter(({ name }) => fitting.has(name)).reduce((total, one) => total + one.tokens, 0);
        expect(sum).toBeLessThanOrEqual(Math.max(0, budget));
        expect([...fittingTools(all, budget, uses)]).toEqual([...fitting]);
      }),
    );
  });
});
