import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ReceiveQueue } from './receive-queue.js';
import type { LineParts } from './line-parts.js';

const small = (text: string): LineParts => [Buffer.from(text)];
const large = (text: string): LineParts => [Buffer.from(text), Buffer.alloc(64 * 1024)];

function setUp(onLine: (text: string, arrivals: ReceiveQueue) => void = () => undefined) {
  const delivered: string[] = [];
  const arrivals: ReceiveQueue = new ReceiveQueue(([first = Buffer.alloc(0)]) => {
    delivered.push(first.toString());
    onLine(first.toString(), arrivals);
  });
  return { arrivals, delivered };
}

describe('lines that arrive', () => {
  it('are delivered together when the turn of the event loop is over', async () => {
    const { arrivals, delivered } = setUp();
    arrivals.add(small('a'));
    arrivals.add(() => delivered.push('behind a'));
    arrivals.add(small('b'));
    expect(delivered).toEqual([]);
    await setImmediate();
    expect(delivered).toEqual(['a', 'behind a', 'b']);
  });

  it('are delivered at once when one of them is large, those before it first', async () => {
    const { arrivals, delivered } = setUp();
    arrivals.add(small('a'));
    arrivals.add(() => delivered.push('behind a'));
    arrivals.add(large('b'));
    expect(delivered).toEqual(['a', 'behind a', 'b']);
    await setImmediate();
    expect(delivered).toHaveLength(3);
  });

  it('are kept while they are not taken, large ones too', () => {
    const { arrivals, delivered } = setUp((_, self) => self.pause());
    for (const text of ['a', 'b', 'c']) arrivals.add(large(text));
    expect(delivered).toEqual(['a']);
    arrivals.resume();
    arrivals.resume();
    expect(delivered).toEqual(['a', 'b', 'c']);
  });

  it('come in the order in which they were added, also those that come during a delivery', async () => {
    const step = fc.record({ isLarge: fc.boolean(), isAction: fc.boolean(), causes: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const added: string[] = [];
        const caused = new Set(steps.flatMap(({ causes }, index) => (causes ? [String(index)] : [])));
        const add = (text: string, isLarge: boolean): void => {
          added.push(text);
          arrivals.add(isLarge ? large(text) : small(text));
        };
        const { arrivals, delivered } = setUp((text) => {
          if (caused.has(text)) add(`caused by ${text}`, true);
        });
        for (const [index, { isLarge, isAction }] of steps.entries()) {
          if (isAction) {
            added.push(`action ${index}`);
            arrivals.add(() => delivered.push(`action ${index}`));
          } else add(String(index), isLarge);
        }
        while (delivered.length < added.length) await setImmediate();
        expect(delivered).toEqual(added);
      }),
    );
  });
});
