import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { answersIn, FrontRig, type OpenAnswer } from './testing/front-rig.js';

const IDLE = 2000;
const BUSY = 200;
const CALLS = 5;
const AT_ONCE = 100;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

type Session = Readonly<Record<string, string>>;

/** Does that so often, some at once. */
async function often<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - results.length) }, (_, at) =>
      act(results.length + at),
    );
    results.push(...(await Promise.all(some)));
  }
  return results;
}

async function calls(rig: FrontRig, session: Session, word: string): Promise<readonly unknown[]> {
  const texts: unknown[] = [];
  for (let id = 1; id <= CALLS; id += 1) {
    const params = { name: 'e__echo', arguments: { message: `${word} ${id}` } };
    const answer = await rig.send('POST', session, { jsonrpc: '2.0', id, method: 'tools/call', params });
    await answer.ended;
    texts.push(...answersIn(answer.text).map(({ result }) => result));
  }
  return texts;
}

it('I8: 2,000 idle sessions with open streams hold up none of 200 that call, and all are told of a change', async () => {
  await using rig = await FrontRig.open({ maxSessions: IDLE + BUSY, maxConnections: 2 * (IDLE + BUSY) });
  await rig.mux.addServer('e', fixtureCommand('echo'));
  const streams = await often(IDLE, async (): Promise<OpenAnswer> => rig.send('GET', await rig.session()));
  const busy = await often(BUSY, () => rig.session());
  const answers = await Promise.all(busy.map((session, index) => calls(rig, session, `word ${index}`)));
  for (const [index, texts] of answers.entries()) {
    const words = Array.from({ length: CALLS }, (_, at) => `word ${index} ${at + 1}`);
    expect(texts).toMatchObject(words.map((text) => ({ content: [{ text }] })));
  }
  await rig.mux.removeServer('e');
  await Promise.all(streams.map((stream) => stream.until('notifications/tools/list_changed')));
  expect(rig.front.sessions.counts).toMatchObject({ open: IDLE + BUSY, inFlight: 0 });
  for (const stream of streams) stream.destroy();
}, 60_000);

it.each([
  ['by their idle time', { sessionIdleMs: 1000 }],
  ['for a newer one when all places are taken', { maxSessions: 1, evictableAfterMs: 1000 }],
])('I8: sessions that are ended %s are answered with 404', async (_, limits) => {
  await using rig = await FrontRig.open(limits);
  const session = await rig.session();
  rig.clock.now += 1000;
  rig.front.sessions.endIdleSessions();
  await rig.session();
  const answer = await rig.send('POST', session, PING);
  await answer.ended;
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('Send initialize without')]);
});
