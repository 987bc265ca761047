import { once } from 'node:events';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { LateClock } from '@mcpmux/testing/late-clock';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { ManualWritable } from '../testing/manual-writable.js';
import { openPipePair } from '@mcpmux/testing/socket-pair';
import { pipeHandleOf } from '../pipe/pipe-handle.js';
import { StallWatch } from './stall-watch.js';

const AFTER_MS = 30_000;

function setUp() {
  const clock = new ManualClock();
  const stream = new ManualWritable(1);
  const problems: string[] = [];
  const watch = new StallWatch(stream, { clock, afterMs: AFTER_MS }, (problem) => problems.push(problem));
  const send = (text: string): void => {
    if (!stream.write(text, () => watch.recordAccepted())) watch.begin();
  };
  return { clock, stream, problems, watch, send };
}

describe('a peer that does not read', () => {
  it('C3: has stalled when it takes nothing for the whole time', () => {
    const { clock, problems, send } = setUp();
    send('12345');
    clock.advance(AFTER_MS - 1);
    expect(problems).toEqual([]);
    clock.advance(1);
    expect(problems).toEqual(['it has read nothing for 30 s while 5 bytes wait']);
    expect(clock.timerCount).toBe(0);
  });

  it('has not stalled when it had taken all before it was watched', () => {
    const { clock, stream, problems, watch, send } = setUp();
    send('12345');
    stream.take();
    watch.begin();
    clock.advance(AFTER_MS);
    expect(problems).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it('has time anew whenever it has taken something', () => {
    const { clock, stream, problems, send } = setUp();
    send('12345');
    send('678');
    clock.advance(AFTER_MS - 1);
    stream.take();
    clock.advance(AFTER_MS);
    expect(problems).toEqual([]);
    clock.advance(AFTER_MS);
    expect(problems).toEqual(['it has read nothing for 30 s while 3 bytes wait']);
  });

  it('has time anew also when more is sent to it than it takes', () => {
    const { clock, stream, problems, send } = setUp();
    send('123');
    send('45678');
    stream.take();
    send('90123456');
    clock.advance(AFTER_MS);
    expect(problems).toEqual([]);
    clock.advance(AFTER_MS);
    expect(problems).toEqual(['it has read nothing for 30 s while 13 bytes wait']);
  });

  // Windows treats a write as waiting until its peer has read all of it.
  it.skipIf(process.platform === 'win32')(
    'has time anew when it has read a part of a long write',
    async () => {
      await using pair = await openPipePair();
      const clock = new ManualClock();
      const problems: string[] = [];
      const watch = new StallWatch(pair.clientEnd, { clock, afterMs: AFTER_MS }, (problem) =>
        problems.push(problem),
      );
      const length = 8 * 1024 * 1024;
      pair.clientEnd.write(Buffer.alloc(length));
      watch.begin();
      const begun = pipeHandleOf(pair.clientEnd)?.writeQueueSize ?? 0;
      let left = length / 2;
      pair.serverEnd.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left <= 0) pair.serverEnd.pause();
      });
      await once(pair.serverEnd, 'pause');
      expect(pipeHandleOf(pair.clientEnd)?.writeQueueSize).toBeLessThan(begun);
      clock.advance(AFTER_MS);
      expect(problems).toEqual([]);
      clock.advance(AFTER_MS);
      expect(problems).toEqual([`it has read nothing for 30 s while ${length} bytes wait`]);
    },
  );

  it('is not excused by more that is sent to it', () => {
    const { clock, problems, send } = setUp();
    send('12345');
    clock.advance(AFTER_MS / 2);
    send('678');
    clock.advance(AFTER_MS / 2);
    expect(problems).toHaveLength(1);
  });

  it('J3: has time anew when it was mcpmux that stood still', () => {
    const { clock, problems, send } = setUp();
    send('12345');
    const late = new LateClock(clock, 5000);
    const stream = new ManualWritable(1);
    const watch = new StallWatch(stream, { clock: late, afterMs: AFTER_MS }, () => problems.push('late'));
    stream.write('12345');
    watch.begin();
    clock.advance(AFTER_MS);
    expect(problems).toHaveLength(1);
    expect(problems).not.toContain('late');
  });
});

describe('the watch', () => {
  it('rests while nothing waits', async () => {
    const { clock, stream, send } = setUp();
    send('12345');
    await stream.takeAll();
    expect(clock.timerCount).toBe(0);
  });

  it('ends with the stream, and when it is ended', () => {
    for (const end of [
      ({ stream }: ReturnType<typeof setUp>) => stream.emit('close'),
      ({ watch }: ReturnType<typeof setUp>) => watch.end(),
    ]) {
      const rig = setUp();
      rig.send('12345');
      end(rig);
      rig.send('678');
      expect(rig.clock.timerCount).toBe(0);
    }
  });
});
