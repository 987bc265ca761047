import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LineFramer } from '../frame/line-framer.js';
import { LineRoom } from './line-room.js';
import type { Span } from '../json/span.js';
import { inReadScope, atScopeEnd } from './read-scope.js';

const ROOM_BYTES = 96;
const SIZES = { read: 24, leastRead: 10 };
const WORTH_ROOM_BYTES = 6;
/** What somebody would read who has kept what is gone. */
const GONE = '#'.charCodeAt(0);

interface Step {
  readonly pipe: number;
  readonly most: number;
  /** Lines that come are held, */
  readonly holds: boolean;
  /** and before that those are released that have these numbers among what is held. */
  readonly releases: readonly number[];
  /** What is read does not come where it was wanted. */
  readonly isElsewhere: boolean;
}

interface Held {
  readonly span: Span;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Pipes that are read one after the other, as an event loop does, into memory that is written over when it may be. */
class Reading {
  readonly room = new LineRoom(Buffer.alloc(ROOM_BYTES), SIZES);
  readonly received: string[][];
  linesInRoom = 0;
  private readonly usual = Buffer.alloc(24);
  private readonly framers: readonly LineFramer[];
  private readonly places: (Buffer | undefined)[] = [];
  private readonly held: Held[] = [];
  private holdsNext = false;

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
          { borrowsLines: true, roomFor: (length) => (length < WORTH_ROOM_BYTES ? undefined : this.room) },
        ),
    );
  }

  /** Reads from a pipe what it has, up to `most` bytes. */
  read({ pipe, most, holds, isElsewhere }: Step, from: number): number {
    const framer = this.framers[pipe];
    const place = (isElsewhere ? undefined : this.places[pipe]) ?? this.usual;
    const chunk = place.subarray(0, (this.streams[pipe] as Buffer).copy(place, 0, from, from + most));
    this.holdsNext = holds;
    inReadScope(() => framer?.push(chunk));
    this.places[pipe] = framer?.makePlace();
    this.usual.fill(GONE);
    for (const spare of this.room.spare) spare.fill(GONE);
    for (const { bytes, text } of this.held) mustBe(bytes, text);
    return from + chunk.length;
  }

  release(which: number): void {
    const [held] = this.held.splice(which % Math.max(1, this.held.length), 1);
    if (held !== undefined) this.room.release(held.span);
  }

  private line(pipe: number, line: Buffer): void {
    const text = line.toString();
    this.received[pipe]?.push(text);
    // as whoever sends it, who needs it then
    atScopeEnd(() => mustBe(line, text));
    if (this.room.offsetOf(line) !== undefined) this.linesInRoom += 1;
    const span = this.holdsNext ? this.room.hold(line) : undefined;
    if (span !== undefined) this.held.push({ span, bytes: line, text });
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
    holds: fc.boolean(),
    releases: fc.array(fc.nat({ max: 5 }), { maxLength: 2 }),
    isElsewhere: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('lines that come together in a room', () => {
  it('are whole, whoever else reads meanwhile, and stay for as long as they are held', () => {
    let linesInRoom = 0;
    fc.assert(
      fc.property(
        fc.array(lengths, { minLength: 3, maxLength: 3 }),
        steps,
        fc.constantFrom(60, 1000),
        (all, order, limit) => {
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
          linesInRoom += reading.linesInRoom;
        },
      ),
      { numRuns: 2000 },
    );
    expect(linesInRoom).toBeGreaterThan(2000);
  });
});
