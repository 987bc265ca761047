import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { MAX_BUFFERED_CHARACTERS, MAX_BUFFERED_EVENTS, type MissedEvents } from './event-inbox.js';
import { MAX_STORED_EVENTS, MAX_REMEMBERED_NUMBERS } from './event-history.js';
import { MuxEvents, type MuxEvent, type NumberedEvent } from './mux-events.js';

function stderrLine(line: string): Extract<MuxEvent, { type: 'server:stderr' }> {
  return { type: 'server:stderr', server: 'echo', line };
}

type Read = NumberedEvent | MissedEvents;

/** What is left in an iterator whose events are closed, without number and time. */
async function rest(iterator: AsyncIterable<Read>): Promise<(MuxEvent | MissedEvents)[]> {
  const events: (MuxEvent | MissedEvents)[] = [];
  for await (const event of iterator) events.push(plain(event));
  return events;
}

function plain(event: Read): MuxEvent | MissedEvents {
  if (event.type === 'events:missed') return event;
  const { sequence: _, time: __, ...bare } = event;
  return bare;
}

/** The numbers of the events that are left, and how many were missed before. */
async function numbers(iterator: AsyncIterable<Read>): Promise<(number | string)[]> {
  const read: (number | string)[] = [];
  for await (const event of iterator)
    read.push(event.type === 'events:missed' ? `missed ${event.count}` : event.sequence);
  return read;
}

describe('listeners', () => {
  it('are called with every event of their name, and with no other', () => {
    const events = new MuxEvents();
    const added: unknown[] = [];
    events.on('server:added', (event) => added.push(event));
    events.emit('server:added', { server: 'echo' });
    events.emit('server:removed', { server: 'echo' });
    events.emit('server:added', { server: 'github' });
    expect(added).toEqual([{ server: 'echo' }, { server: 'github' }]);
  });

  it('are called no more once they were taken away', () => {
    const events = new MuxEvents();
    const added: unknown[] = [];
    const off = events.on('server:added', (event) => added.push(event));
    off();
    off();
    events.emit('server:added', { server: 'echo' });
    expect(added).toEqual([]);
  });

  it('may be many: no warning is written to the host', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => void process.off('warning', onWarning));
    const events = new MuxEvents();
    for (let index = 0; index < 50; index += 1) {
      events.on('server:added', () => undefined);
      void events.iterate().next();
    }
    events.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});

it('the number of the last event is the place behind which a reader begins that has read all else', async () => {
  const events = new MuxEvents();
  expect(events.lastSequence).toBe(0);
  events.emit('server:added', { server: 'before' });
  const { lastSequence: last } = events;
  events.emit('server:added', { server: 'after' });
  const reader = events.iterate({ after: last });
  events.close();
  expect(await rest(reader)).toEqual([{ type: 'server:added', server: 'after' }]);
});

describe('the iterator', () => {
  it('gives every event from the moment it was asked for, with its name', async () => {
    const events = new MuxEvents();
    events.emit('server:added', { server: 'too early' });
    const iterator = events.iterate();
    events.emit('server:added', { server: 'echo' });
    events.emit('server:state', { server: 'echo', status: 'running' });
    events.close();
    await expect(rest(iterator)).resolves.toEqual([
      { type: 'server:added', server: 'echo' },
      { type: 'server:state', server: 'echo', status: 'running' },
    ]);
  });

  it('waits for the next event', async () => {
    const events = new MuxEvents(undefined, () => 5);
    const iterator = events.iterate();
    const next = iterator.next();
    events.emit('catalog:changed', {});
    await expect(next).resolves.toEqual({
      done: false,
      value: { type: 'catalog:changed', sequence: 1, time: 5 },
    });
    const last = iterator.next();
    events.close();
    await expect(last).resolves.toEqual({ done: true, value: undefined });
  });

  it('of a closed mux ends at once', async () => {
    const events = new MuxEvents();
    events.close();
    await expect(rest(events.iterate())).resolves.toEqual([]);
  });

  it('C15: loses the oldest events when it does not keep up, and gets their number in their place', async () => {
    const events = new MuxEvents();
    const iterator = events.iterate();
    const lines = Array.from({ length: MAX_BUFFERED_EVENTS + 5 }, (_, index) => `line ${index}`);
    for (const line of lines) events.emit('server:stderr', { server: 'echo', line });
    events.close();
    const missed = { type: 'events:missed', count: 5 };
    await expect(rest(iterator)).resolves.toEqual([missed, ...lines.slice(5).map(stderrLine)]);
  });

  it('buffers no more than so many characters, whichever events they stand in', async () => {
    const events = new MuxEvents();
    const iterator = events.iterate();
    const command = 'x'.repeat(MAX_BUFFERED_CHARACTERS / 2);
    const record = { action: 'add', server: 'echo', command, outcome: 'done', rule: 'host' } as const;
    for (let index = 0; index < 5; index += 1) events.emit('audit', record);
    events.emit('server:added', { server: 'echo' });
    events.close();
    await expect(rest(iterator)).resolves.toEqual([
      { type: 'events:missed', count: 4 },
      { type: 'audit', ...record },
      { type: 'server:added', server: 'echo' },
    ]);
  });

  it('counts anew after it has told of what was missed', async () => {
    const events = new MuxEvents();
    const iterator = events.iterate();
    const flood = (): void => {
      for (let index = 0; index < MAX_BUFFERED_EVENTS + 1; index += 1) events.emit('catalog:changed', {});
    };
    flood();
    expect(await iterator.next()).toMatchObject({ value: { type: 'events:missed', count: 1 } });
    expect(await iterator.next()).toMatchObject({ value: { type: 'catalog:changed' } });
    flood();
    expect(await iterator.next()).toMatchObject({
      value: { type: 'events:missed', count: MAX_BUFFERED_EVENTS },
    });
  });

  it('gets no more events once its loop was left', async () => {
    const events = new MuxEvents();
    const iterator = events.iterate();
    events.emit('server:added', { server: 'first' });
    events.emit('server:added', { server: 'second' });
    for await (const event of iterator) {
      expect(plain(event)).toEqual({ type: 'server:added', server: 'first' });
      break;
    }
    events.emit('server:added', { server: 'third' });
    await expect(iterator.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('keeps the order for every reader, however reading and emitting alternate', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 60 }), async (steps) => {
        const events = new MuxEvents();
        const readers = [events.iterate(), events.iterate()];
        const read: Promise<IteratorResult<Read, undefined>>[][] = [[], []];
        let emitted = 0;
        for (const isEmit of steps) {
          if (isEmit) events.emit('server:stderr', { server: 'echo', line: `${emitted++}` });
          else readers.forEach((reader, index) => read[index]?.push(reader.next()));
        }
        events.close();
        const expected = Array.from({ length: emitted }, (_, index) => stderrLine(`${index}`));
        for (const [index, reader] of readers.entries()) {
          const results = await Promise.all(read[index] ?? []);
          const seen = results.flatMap(({ value }) => (value === undefined ? [] : [plain(value)]));
          expect([...seen, ...(await rest(reader))]).toEqual(expected);
        }
      }),
    );
  });

  it('reach the other listeners when one throws, and whoever made the events is told', () => {
    const faults: unknown[] = [];
    const heard: string[] = [];
    const events = new MuxEvents((error) => faults.push(error));
    const fault = new Error('a listener of the host');
    events.on('server:added', () => {
      throw fault;
    });
    events.on('server:added', ({ server }) => heard.push(server));
    expect(() => events.emit('server:added', { server: 'a' })).not.toThrow();
    expect(heard).toEqual(['a']);
    expect(faults).toEqual([fault]);
  });

  it('whoever made the events is told of a listener that is asynchronous and fails', async () => {
    const faults: unknown[] = [];
    const events = new MuxEvents((error) => faults.push(error));
    const fault = new Error('a listener of the host');
    const listener: () => unknown = () => Promise.reject(fault);
    events.on('server:added', listener);
    events.emit('server:added', { server: 'a' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(faults).toEqual([fault]);
  });
});

describe('a reader that comes back', () => {
  const CALL = { server: 'echo', tool: 'say', call: 1 };

  it('gets the stored events after the one that it has read, and then the next ones', async () => {
    const events = new MuxEvents();
    for (let index = 0; index < 4; index += 1) events.emit('catalog:changed', {});
    const iterator = events.iterate({ after: 2 });
    events.emit('catalog:changed', {});
    events.close();
    await expect(numbers(iterator)).resolves.toEqual([3, 4, 5]);
  });

  it('C15: learns how many of the events in between are not stored', async () => {
    const events = new MuxEvents();
    for (let index = 0; index < MAX_STORED_EVENTS + 10; index += 1) events.emit('catalog:changed', {});
    events.close();
    const read = await numbers(events.iterate({ after: 3 }));
    expect(read.slice(0, 2)).toEqual(['missed 7', 11]);
    expect(read).toHaveLength(MAX_STORED_EVENTS + 1);
  });

  it('gets the events of the names that it asks for, and misses none of them for calls that are not stored', async () => {
    const events = new MuxEvents();
    events.on('call:start', () => undefined);
    events.emit('catalog:changed', {});
    events.emit('call:start', CALL);
    events.emit('server:added', { server: 'echo' });
    events.emit('catalog:changed', {});
    const iterator = events.iterate({ after: 0, types: ['catalog:changed'] });
    expect(events.includesDetails).toBe(false);
    events.close();
    await expect(numbers(iterator)).resolves.toEqual([1, 4]);
  });

  it('C15: gets the events of servers, however many calls have come since', async () => {
    const events = new MuxEvents();
    const follower = events.iterate();
    events.emit('server:added', { server: 'echo' });
    for (let call = 0; call < 2 * MAX_STORED_EVENTS; call += 1) events.emit('call:start', { ...CALL, call });
    events.emit('server:removed', { server: 'echo' });
    await follower.return();
    const types = ['server:added', 'server:removed'] as const;
    events.close();
    await expect(numbers(events.iterate({ after: 0, types }))).resolves.toEqual([
      1,
      2 * MAX_STORED_EVENTS + 2,
    ]);
    const all = await numbers(events.iterate({ after: 0 }));
    expect(all.slice(0, 3)).toEqual([`missed ${MAX_STORED_EVENTS}`, 1, MAX_STORED_EVENTS + 2]);
  });

  it('C15: learns how many events of the names that it asks for are not stored, and counts no others', async () => {
    const events = new MuxEvents();
    events.emit('server:added', { server: 'echo' });
    for (let line = 0; line < MAX_STORED_EVENTS; line += 1) {
      events.emit('server:stderr', { server: 'echo', line: '' });
      events.emit('catalog:changed', {});
    }
    events.close();
    const read = async (type: MuxEvent['type'], after: number) =>
      (await numbers(events.iterate({ after, types: [type] })))[0];
    expect(await read('server:added', 0)).toBe('missed 1');
    expect(await read('server:added', 1)).toBeUndefined();
    expect(await read('catalog:changed', 0)).toBe(`missed ${MAX_STORED_EVENTS / 2}`);
    expect(await read('catalog:changed', 11)).toBe(`missed ${MAX_STORED_EVENTS / 2 - 5}`);
    expect(await read('audit', 0)).toBeUndefined();
  });

  it('that was away for more lost events than are remembered learns no number that is too small', async () => {
    const events = new MuxEvents();
    const lost = MAX_REMEMBERED_NUMBERS + 500;
    for (let event = 0; event < MAX_STORED_EVENTS + lost; event += 1) events.emit('catalog:changed', {});
    events.close();
    const types = ['catalog:changed'] as const;
    const missed = async (after: number) => (await numbers(events.iterate({ after, types })))[0];
    expect([await missed(0), await missed(300), await missed(700)]).toEqual([
      `missed ${lost}`,
      `missed ${lost - 300}`,
      `missed ${lost - 700}`,
    ]);
  });

  it('learns of calls that nobody stored', async () => {
    const events = new MuxEvents();
    events.on('call:start', () => undefined);
    for (let call = 1; call < 4; call += 1) events.emit('call:start', { ...CALL, call });
    events.close();
    await expect(numbers(events.iterate({ after: 1, types: ['call:start'] }))).resolves.toEqual(['missed 2']);
    await expect(numbers(events.iterate({ after: 1, types: ['call:end'] }))).resolves.toEqual([]);
  });

  it('from an earlier mux gets everything that is stored', async () => {
    const events = new MuxEvents();
    for (let index = 0; index < 3; index += 1) events.emit('catalog:changed', {});
    events.close();
    await expect(numbers(events.iterate({ after: 1000 }))).resolves.toEqual([1, 2, 3]);
  });

  it('gets the calls of a minute without it, and the number of those before and after', async () => {
    let now = 1000;
    const events = new MuxEvents(undefined, () => now);
    events.on('call:start', () => undefined);
    events.emit('call:start', CALL);
    await events.iterate().return();
    now += 59_999;
    events.emit('call:start', CALL);
    now += 1;
    events.emit('call:start', CALL);
    events.close();
    await expect(numbers(events.iterate({ after: 0 }))).resolves.toEqual(['missed 2', 2]);
  });

  it('nobody hears calls once a minute has passed without a reader', async () => {
    let now = 1000;
    const events = new MuxEvents(undefined, () => now);
    const iterator = events.iterate();
    const waiting = iterator.next();
    await iterator.return();
    await expect(waiting).resolves.toEqual({ done: true, value: undefined });
    expect(events.hasListeners).toBe(true);
    now += 60_000;
    events.emit('call:start', CALL);
    expect(events.hasListeners).toBe(false);
  });
});
