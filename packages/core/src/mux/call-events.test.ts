import { expect, it } from 'vitest';

import { CallEvents } from './call-events.js';
import { Redactors } from './session-messages.js';
import { MuxEvents, type MuxEvent } from './mux-events.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';

function listening(events: MuxEvents): MuxEvent[] {
  const heard: MuxEvent[] = [];
  events.on('call:start', (event) => heard.push({ type: 'call:start', ...event }));
  events.on('call:end', (event) => heard.push({ type: 'call:end', ...event }));
  return heard;
}

it('a call is told when it begins and when it ends, with the time between', () => {
  const events = new MuxEvents();
  const clock = new ManualClock();
  const heard = listening(events);
  const calls = new CallEvents(events, clock, new Redactors(() => []));
  const first = calls.onCallStart('a', 'find');
  const second = calls.onCallStart('b', 'list');
  clock.advance(250);
  second?.('error');
  clock.advance(50);
  first?.('result');
  expect(heard).toEqual([
    { type: 'call:start', server: 'a', tool: 'find', call: 1 },
    { type: 'call:start', server: 'b', tool: 'list', call: 2 },
    { type: 'call:end', server: 'b', tool: 'list', call: 2, ms: 250, ending: 'error' },
    { type: 'call:end', server: 'a', tool: 'find', call: 1, ms: 300, ending: 'result' },
  ]);
});

it('nothing is kept of a call where nobody listens', () => {
  const events = new MuxEvents();
  const calls = new CallEvents(events, new ManualClock(), new Redactors(() => []));
  expect(calls.onCallStart('a', 'find')).toBeUndefined();
  const off = events.on('call:end', () => undefined);
  expect(calls.onCallStart('a', 'find')).toBeDefined();
  off();
  expect(calls.onCallStart('a', 'find')).toBeUndefined();
});

it('an iterator listens, too', async () => {
  const events = new MuxEvents();
  const calls = new CallEvents(events, new ManualClock(), new Redactors(() => []));
  const iterator = events.iterate();
  calls.onCallStart('a', 'find')?.('cancelled');
  expect(await iterator.next()).toMatchObject({ value: { type: 'call:start', tool: 'find' } });
  expect(await iterator.next()).toMatchObject({ value: { type: 'call:end', ending: 'cancelled', ms: 0 } });
});
