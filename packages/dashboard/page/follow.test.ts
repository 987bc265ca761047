import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { follow, waitBefore } from './follow.js';
import { EMPTY, next, type Action, type State } from './model.js';

const TOKEN = 'x'.repeat(43);
const SERVER = { name: 's', status: 'running', tools: [], restarts: 0 };
const OVERVIEW = {
  mcpmux: { instance: 'i', lastEvent: 7, heartbeatMs: 1000, uptimeSeconds: 1 },
  servers: [SERVER],
  clients: [],
  config: [],
};

type Answer = Response | Error;

/** Stands in for a mcpmux: the answers to each request in their order, of which the last one stays. */
class Mcpmux {
  readonly asked: string[] = [];
  private readonly answers: Readonly<Record<string, (() => Answer)[]>>;

  constructor(answers: Readonly<Record<string, readonly (() => Answer)[]>>) {
    this.answers = Object.fromEntries(Object.entries(answers).map(([path, all]) => [path, [...all]]));
    vi.stubGlobal('fetch', async (url: string, { signal }: RequestInit) => {
      const path = url.slice('/ui/api/'.length);
      this.asked.push(path);
      const of = this.answers[path.split('?', 1)[0] ?? ''] ?? [];
      const answer = (of.length > 1 ? of.shift() : of[0])?.();
      if (answer instanceof Response) return untilAborted(answer, signal);
      throw answer ?? new Error('not stubbed');
    });
  }
}

/** The answer, whose body fails once the request is aborted. */
function untilAborted(answer: Response, signal: AbortSignal | null | undefined): Response {
  if (answer.body === null || !signal) return answer;
  return new Response(answer.body.pipeThrough(new TransformStream(), { signal }), answer);
}

function answering(answers: ConstructorParameters<typeof Mcpmux>[0]): Mcpmux {
  return new Mcpmux(answers);
}

const json =
  (value: object, status = 200) =>
  (): Response =>
    Response.json(value, { status });
const refused = (error: string) => json({ error }, 401);
const lines =
  (...values: readonly object[]) =>
  (): Response =>
    new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
const batch = (event: number, calls: string, events: readonly object[] = [], more: object = {}): object => ({
  events,
  calls: [],
  missed: 0,
  unlisted: 0,
  at: { event, calls },
  ...more,
});

/** Follows until mcpmux refuses. Returns the last state and all actions. */
async function followed(): Promise<{ readonly state: State; readonly actions: readonly Action[] }> {
  const actions: Action[] = [];
  const done = follow((action) => actions.push(action));
  await vi.runAllTimersAsync();
  await done;
  return { state: actions.reduce(next, EMPTY), actions };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { hash: `#${TOKEN}` });
  vi.stubGlobal('history', { replaceState: () => undefined });
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const END = refused('mcpmux was started again');

it('a link that was used already opens the page where the browser has a session', async () => {
  const mcpmux = answering({
    login: [refused('used already')],
    overview: [json(OVERVIEW)],
    log: [json({ entries: [], lastEvent: 7 })],
    events: [END],
  });
  const { actions } = await followed();
  expect(mcpmux.asked.slice(0, 2)).toEqual(['login', 'overview']);
  expect(actions[0]).toMatchObject({ type: 'overview' });
});

it('a link that was used already is refused with its own reason where the browser has no session', async () => {
  answering({ login: [refused('used already')], overview: [refused('no session')] });
  expect((await followed()).state).toMatchObject({ phase: 'refused', problem: 'used already' });
});

it('a page of a mcpmux that was started again is closed with the reason', async () => {
  answering({
    login: [json({ key: 'k' })],
    overview: [json(OVERVIEW)],
    log: [json({ entries: [], lastEvent: 7 })],
    events: [lines(batch(7, '0.0.0')), (): Error => new TypeError('no answer'), END],
  });
  const { state, actions } = await followed();
  expect(actions.filter(({ type }) => type === 'interrupted')).toHaveLength(2);
  expect(state).toMatchObject({ phase: 'refused', problem: 'mcpmux was started again' });
});

it('the page goes on behind what it has read, events and calls', async () => {
  const mcpmux = answering({
    login: [json({ key: 'k' })],
    overview: [json(OVERVIEW)],
    log: [json({ entries: [], lastEvent: 7 })],
    events: [lines(batch(8, '1.0.0'), batch(12, '3.1.0')), lines(), END],
  });
  await followed();
  expect(mcpmux.asked.filter((path) => path.startsWith('events'))).toEqual([
    'events?after=7',
    'events?after=12&calls=3.1.0',
    'events?after=12&calls=3.1.0',
  ]);
});

it('no line is lost or doubled between the stored log and the events', async () => {
  const stderr = (sequence: number, server = 's') => ({
    type: 'server:stderr',
    sequence,
    time: sequence,
    server,
    line: `line ${sequence} of ${server}`,
  });
  answering({
    login: [json({ key: 'k' })],
    overview: [json(OVERVIEW)],
    log: [json({ entries: [{ kind: 'stderr', seconds_ago: 0, text: 'line 9 of s' }], lastEvent: 9 })],
    events: [lines(batch(11, '0.0.0', [stderr(8, 'other'), stderr(9), stderr(10)])), END],
  });
  const { state } = await followed();
  expect(state.log.map(({ text }) => text)).toEqual(['line 9 of s', 'line 8 of other', 'line 10 of s']);
});

it('a server that has gone before its log was read keeps no page from opening', async () => {
  answering({
    login: [json({ key: 'k' })],
    overview: [json(OVERVIEW)],
    log: [json({ error: 'there is no such layer' }, 409)],
    events: [lines(batch(7, '0.0.0')), END],
  });
  const { actions } = await followed();
  expect(actions.map(({ type }) => type)).toContain('batch');
});

it('a stream of which nothing comes is given up, and the page goes on behind its last line', async () => {
  const first = batch(8, '1.0.0');
  const silent = (): Response => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(first)}\n`);
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(bytes) }));
  };
  const mcpmux = answering({
    login: [json({ key: 'k' })],
    overview: [json(OVERVIEW)],
    log: [json({ entries: [], lastEvent: 7 })],
    events: [silent, lines(batch(9, '2.0.0')), END],
  });
  const began = Date.now();
  const { actions } = await followed();
  expect(mcpmux.asked.filter((path) => path.startsWith('events'))).toEqual([
    'events?after=7',
    'events?after=8&calls=1.0.0',
    'events?after=9&calls=2.0.0',
  ]);
  expect(actions.filter(({ type }) => type === 'interrupted')).toEqual([
    { type: 'interrupted', since: began, isSilent: true },
    { type: 'interrupted', since: began + 4500, isSilent: false },
  ]);
});

it('the page waits longer with each try, at most eight seconds', () => {
  expect([0, 1, 2, 3, 4, 50].map(waitBefore)).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
});
