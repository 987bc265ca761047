import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { LineFramer } from '../frame/line-framer.js';
import { LineSlots, type Slot } from './line-slots.js';
import { runInReadScope, runAtScopeEnd } from './read-scope.js';

const SLOTS_BYTES = 96;
const SIZES = { count: 2, read: 24, leastRead: 10 };
const WORTH_SLOT_BYTES = 6;
/** Read by anybody who has stored bytes that are gone. */
const GONE = '#'.charCodeAt(0);

interface Step {
  readonly pipe: number;
  readonly most: number;
  /** Lines that come are retained, */
  readonly retains: boolean;
  /** and before that those are released that have these numbers among the retained ones. */
  readonly releases: readonly number[];
  /** The read does not go to the place that was asked for. */
  readonly isElsewhere: boolean;
}

interface Retained {
  readonly slot: Slot;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Pipes that are read one after the other, as by an event loop. Memory is written over as soon as that is allowed. */
class Reading {
  readonly slots = new LineSlots(Buffer.alloc(SLOTS_BYTES), SIZES);
  readonly received: string[][];
  linesInSlots = 0;
  private readonly usual = Buffer.alloc(24);
  private readonly framers: readonly LineFramer[];
  private readonly places: (Buffer | undefined)[] = [];
  private readonly retained: Retained[] = [];
  private retainsNext = false;

  constructor(
    private readonly streams: readonly Buffer[],
    maxLineBytes: number,
  ) {
    this.received = streams.map(() => []);
    this.framers = streams.map(
      (_, pipe) =>
        new LineFramer(
          { line: (line) => this.line(pipe, line), oversized: () => this.received[pipe]?.push('oversized') },
          maxLineBytes,
          { borrowsLines: true, slotsFor: (length) => (length < WORTH_SLOT_BYTES ? undefined : this.slots) },
        ),
    );
  }

  /** Reads from a pipe what it has, up to `most` bytes. */
  read({ pipe, most, retains, isElsewhere }: Step, from: number): number {
    const framer = this.framers[pipe];
    const place = (isElsewhere ? undefined : this.places[pipe]) ?? this.usual;
    const chunk = place.subarray(0, (this.streams[pipe] as Buffer).copy(place, 0, from, from + most));
    this.retainsNext = retains;
    runInReadScope(() => framer?.push(chunk));
    this.places[pipe] = framer?.nextReadBuffer();
    this.usual.fill(GONE);
    for (const { memory } of this.slots.freeSlots) memory.fill(GONE);
    for (const { bytes, text } of this.retained) mustBe(bytes, text);
    return from + chunk.length;
  }

  release(which: number): void {
    const [retained] = this.retained.splice(which % Math.max(1, this.retained.length), 1);
    retained?.slot.release();
  }

  private line(pipe: number, line: Buffer): void {
    const text = line.toString();
    this.received[pipe]?.push(text);
    // as whoever sends it, who needs it then
    runAtScopeEnd(() => mustBe(line, text));
    const slot = this.slots.findSlot(line);
    if (slot === undefined) return;
    this.linesInSlots += 1;
    if (!this.retainsNext) return;
    slot.retain();
    this.retained.push({ slot, bytes: line, text });
  }
}

function mustBe(bytes: Buffer, text: string): void {
  if (bytes.toString() !== text) throw new Error(`${bytes.toString()} stands where ${text} was`);
}

const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 130 })), {
  minLength: 1,
  maxLength: 12,
});
const steps = fc.array(
  fc.record({
    pipe: fc.nat({ max: 2 }),
    most: fc.integer({ min: 1, max: 30 }),
    retains: fc.boolean(),
    releases: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
    isElsewhere: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('lines that come together in slots', () => {
  it('are whole, whatever other pipes are read in the meantime, and stay for as long as they are retained', () => {
    let linesInSlots = 0;
    let tried = 0;
    fc.assert(
      fc.property(
        fc.array(lengths, { minLength: 3, maxLength: 3 }),
        steps,
        fc.constantFrom(30, 60, 1000),
        (all, order, limit) => {
          tried += 1;
          const texts = all.map((pipe, index) =>
            pipe.map((length, line) => String.fromCharCode(97 + ((index * 7 + line) % 26)).repeat(length)),
          );
          const streams = texts.map((lines) => Buffer.from(lines.map((line) => `${line}\n`).join('')));
          const reading = new Reading(streams, limit);
          const read = streams.map(() => 0);
          for (let step = 0; read.some((count, pipe) => count < (streams[pipe]?.length ?? 0)); step += 1) {
            const next = order[step % order.length] as Step;
            // in the end all are read that no step is about
            const pipe = step >= order.length ? step % streams.length : next.pipe;
            for (const which of next.releases) reading.release(which);
            read[pipe] = reading.read({ ...next, pipe }, read[pipe] ?? 0);
          }
          expect(reading.received).toEqual(
            texts.map((lines) => lines.map((line) => (line.length > limit ? 'oversized' : line))),
          );
          linesInSlots += reading.linesInSlots;
        },
      ),
      propertyRuns(150),
    );
    expect(linesInSlots).toBeGreaterThan(tried);
  });
});
