import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { MAX_BUFFERED_CHARACTERS, MAX_BUFFERED_EVENTS, type MissedEvents } from './event-inbox.js';
import { MuxEvents, type MuxEvent } from './mux-events.js';

function stderrLine(line: string): Extract<MuxEvent, { type: 'server:stderr' }> {
  return { type: 'server:stderr', server: 'echo', line };
}

/** What is left in an iterator whose events are closed. */
async function rest(iterator: AsyncIterable<MuxEvent | MissedEvents>): Promise<(MuxEvent | MissedEvents)[]> {
  const events: (MuxEvent | MissedEvents)[] = [];
  for await (const event of iterator) events.push(event);
  return events;
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
    const events = new MuxEvents();
    const iterator = events.iterate();
    const next = iterator.next();
    events.emit('catalog:changed', {});
    await expect(next).resolves.toEqual({ done: false, value: { type: 'catalog:changed' } });
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
      expect(event).toEqual({ type: 'server:added', server: 'first' });
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
        const read: Promise<IteratorResult<MuxEvent | MissedEvents>>[][] = [[], []];
        let emitted = 0;
        for (const isEmit of steps) {
          if (isEmit) events.emit('server:stderr', { server: 'echo', line: `${emitted++}` });
          else readers.forEach((reader, index) => read[index]?.push(reader.next()));
        }
        events.close();
        const expected = Array.from({ length: emitted }, (_, index) => stderrLine(`${index}`));
        for (const [index, reader] of readers.entries()) {
          const results = await Promise.all(read[index] ?? []);
          const seen = results.filter(({ done }) => done !== true).map(({ value }) => value);
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
