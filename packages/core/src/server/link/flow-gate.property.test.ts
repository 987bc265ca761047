import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { FlowGate } from './flow-gate.js';

/** A valve that knows whether it is shut, and refuses to be turned twice. */
class Valve {
  isShut = false;

  pause(): void {
    if (this.isShut) throw new Error('shut twice');
    this.isShut = true;
  }

  resume(): void {
    if (!this.isShut) throw new Error('opened twice');
    this.isShut = false;
  }
}

function gate(): { valve: Valve; gate: FlowGate } {
  const valve = new Valve();
  return { valve, gate: new FlowGate(valve) };
}

describe('the flow gate', () => {
  it('makes the server wait for its only reader', () => {
    const { valve, gate: flow } = gate();
    const reader = {};
    flow.closeFor(reader, false);
    flow.closeFor(reader, false);
    expect(valve.isShut).toBe(true);
    flow.openFor(reader);
    expect(valve.isShut).toBe(false);
  });

  it('stays open while somebody else waits for the server', () => {
    const { valve, gate: flow } = gate();
    flow.closeFor({}, true);
    expect(valve.isShut).toBe(false);
  });

  it('opens when somebody else calls the server', () => {
    const { valve, gate: flow } = gate();
    flow.closeFor({}, false);
    flow.recordCall({});
    expect(valve.isShut).toBe(false);
  });

  it('stays shut when the slow reader makes another call', () => {
    const { valve, gate: flow } = gate();
    const reader = {};
    flow.closeFor(reader, false);
    flow.recordCall(reader);
    expect(valve.isShut).toBe(true);
  });

  it('opens for a reader that has drained although another is still slow', () => {
    const { valve, gate: flow } = gate();
    const [first, second] = [{}, {}];
    flow.closeFor(second, true);
    flow.closeFor(first, false);
    flow.openFor(first);
    expect(valve.isShut).toBe(false);
  });

  it('that is open is opened by nothing', () => {
    const { valve, gate: flow } = gate();
    flow.recordCall({});
    flow.openFor({});
    expect(valve.isShut).toBe(false);
  });
});

const READERS = ['a', 'b', 'c'] as const;
type Reader = (typeof READERS)[number];

const step = fc.record({
  reader: fc.constantFrom(...READERS),
  what: fc.constantFrom('call', 'line', 'answer', 'saturate', 'drain', 'go'),
});

/** Sessions that call one server: who waits for how many answers, and who cannot take more. */
class Model {
  readonly valve = new Valve();
  readonly waiting = new Map<Reader, number>(READERS.map((reader) => [reader, 0]));
  readonly saturated = new Set<Reader>();
  private readonly gate = new FlowGate(this.valve);
  private readonly keys = new Map<Reader, object>(READERS.map((reader) => [reader, { reader }]));

  do({ reader, what }: { reader: Reader; what: string }): void {
    const calls = this.waiting.get(reader) ?? 0;
    if (what === 'call') {
      this.waiting.set(reader, calls + 1);
      this.gate.recordCall(this.key(reader));
    }
    // Lines arrive only while the valve is open, and only for who waits.
    if ((what === 'line' || what === 'answer') && calls > 0 && !this.valve.isShut) {
      if (what === 'answer') this.waiting.set(reader, calls - 1);
      if (this.saturated.has(reader)) this.gate.closeFor(this.key(reader), this.othersWait(reader));
    }
    if (what === 'saturate') this.saturated.add(reader);
    if (what === 'drain' || what === 'go') {
      this.saturated.delete(reader);
      if (what === 'go') this.waiting.set(reader, 0);
      this.gate.openFor(this.key(reader));
    }
  }

  /** Readers that could go on if the server did, while it does not. */
  get heldUp(): readonly Reader[] {
    if (!this.valve.isShut) return [];
    return READERS.filter((reader) => (this.waiting.get(reader) ?? 0) > 0 && !this.saturated.has(reader));
  }

  private key(reader: Reader): object {
    return this.keys.get(reader) ?? {};
  }

  private othersWait(reader: Reader): boolean {
    return READERS.some((other) => other !== reader && (this.waiting.get(other) ?? 0) > 0);
  }
}

describe('with several readers', () => {
  it('nobody who can read waits for somebody who does not', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 100, size: 'max' }), (steps) => {
        const model = new Model();
        for (const each of steps) {
          model.do(each);
          expect(model.heldUp).toEqual([]);
        }
      }),
      propertyRuns(100),
    );
  });

  it('the server stands still only while somebody is slow', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 100, size: 'max' }), (steps) => {
        const model = new Model();
        for (const each of steps) {
          model.do(each);
          expect(model.valve.isShut && model.saturated.size === 0).toBe(false);
        }
      }),
      propertyRuns(100),
    );
  });

  it('a single slow reader makes the server wait with the next line', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 100, size: 'max' }), (steps) => {
        const model = new Model();
        for (const each of steps) model.do(each);
        for (const reader of ['b', 'c'] as const) model.do({ reader, what: 'go' });
        for (const what of ['call', 'saturate', 'line']) model.do({ reader: 'a', what });
        expect(model.valve.isShut).toBe(true);
      }),
    );
  });
});
