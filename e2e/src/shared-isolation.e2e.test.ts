import process from 'node:process';

import { seededRandom, type SeededRandom } from '@mcpmux/testing/seeded-random';
import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { SdkWindow } from './testing/sdk-window.js';
import { SharedWindows, untilListed } from './testing/shared-windows.js';

const WAIT = { timeout: 15_000 };
const FOR_ALL = { mux: { shared: true } };
const ROUNDS = 30;
const SEEDS = Array.from({ length: Number(process.env['SHARED_SEEDS'] ?? 2) }, (_, seed) => seed + 1);
const MODERN = { pin: '2026-07-28' } as const;

const uriOf = (name: string): string => `memo:///${name}`;
const form = (name: string): object => ({
  mode: 'form',
  message: `for ${name}`,
  requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
});
const sampling = (name: string): object => ({
  messages: [{ role: 'user', content: { type: 'text', text: `for ${name}` } }],
  maxTokens: 9,
});

/** What a window does. Each resolves with the text of the result, which names the window. */
const ACTS: Readonly<Record<string, (window: SdkWindow, n: number) => Promise<string>>> = {
  echo: (window, n) => window.call('echo__echo', { message: `${window.name} ${n}` }),
  roots: (window) => window.call('asks__ask', { method: 'roots/list', params: {} }),
  elicit: (window) => window.call('asks__ask', { method: 'elicitation/create', params: form(window.name) }),
  sample: (window) =>
    window.call('asks__ask', { method: 'sampling/createMessage', params: sampling(window.name) }),
  'elicit, of a modern server': (window) => window.call('modern__form'),
  'sample, of a modern server': (window) => window.call('modern__sample'),
  'roots, of a modern server': (window) => window.call('modern__roots'),
  update: async (window) => {
    await window.call('notes__touch', { uri: uriOf(window.name) });
    return window.name;
  },
};

/** Names without a common beginning: one in what another window hears is found. */
function namesOf(random: SeededRandom): readonly string[] {
  return ['alpha', 'bravo', 'charlie', 'delta'].map((name) => `${name}-${random.integerBelow(1e9)}`);
}

async function openWindows(shared: SharedWindows, names: readonly string[]): Promise<readonly SdkWindow[]> {
  const windows = await Promise.all(
    names.map((name, at) => SdkWindow.open(shared, name, at % 2 === 0 ? 'legacy' : MODERN)),
  );
  for (const [at, window] of windows.entries()) {
    for (const tool of ['echo__echo', 'asks__ask', 'modern__form', 'notes__touch'])
      await window.untilListed(tool);
    const uri = uriOf(window.name);
    if (at % 2 === 0) await window.client.subscribeResource({ uri });
    else await window.client.listen({ resourceSubscriptions: [uri] });
  }
  return windows;
}

function updatesOf(window: SdkWindow): number {
  return window.heard.filter((line) => line.includes('notifications/resources/updated')).length;
}

describe('windows of both eras that share servers of both eras', () => {
  it.each(SEEDS)('A13: hear nothing of each other, and get their own answers: seed %i', async (seed) => {
    const random = seededRandom(seed);
    const names = namesOf(random);
    const notes = fixtureServer('resources-many');
    await using shared = await SharedWindows.open({
      echo: { ...fixtureServer('echo'), ...FOR_ALL },
      asks: { ...fixtureServer('interactive'), ...FOR_ALL },
      modern: { ...fixtureServer('modern-asking'), ...FOR_ALL },
      notes: { ...notes, args: [...notes.args, uriOf('first'), ...names.map(uriOf)], ...FOR_ALL },
    });
    const windows = await openWindows(shared, names);
    const acts = Object.keys(ACTS);
    const plans = windows.map(() => Array.from({ length: ROUNDS }, () => random.pick(acts)));
    const wrong: string[] = [];
    await Promise.all(
      windows.map(async (window, at) => {
        for (const [n, act] of (plans[at] ?? []).entries()) {
          const said = await ACTS[act]?.(window, n);
          // Where two windows have calls at the server, nobody is asked.
          const isRefused = said?.includes('several clients have calls in flight');
          if (isRefused !== true && said?.includes(window.name) !== true) wrong.push(`${act}: ${said}`);
        }
      }),
    );
    expect(wrong).toEqual([]);
    for (const window of windows) {
      for (const act of acts) expect(`${act}: ${await ACTS[act]?.(window, ROUNDS)}`).toContain(window.name);
      await expect.poll(() => updatesOf(window), WAIT).toBeGreaterThan(0);
    }
    for (const { name, heard } of windows)
      for (const other of names.filter((one) => one !== name))
        expect(heard.flatMap((line) => (line.includes(other) ? [line.slice(0, 200)] : []))).toEqual([]);
    await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
  });
});

interface Task {
  readonly taskId?: string;
}

describe('windows that share a server', () => {
  it('A13: get its log messages from their own level on', async () => {
    await using shared = await SharedWindows.open({ logs: { ...fixtureServer('logging'), ...FOR_ALL } });
    await using loud = await shared.window();
    await using quiet = await shared.window();
    for (const [window, level] of [
      [loud, 'debug'],
      [quiet, 'error'],
    ] as const) {
      await untilListed(window, 'logs__log_all');
      await window.request('logging/setLevel', { level });
    }
    await quiet.call('logs__log_all');
    const heard = ({ messages }: typeof loud): readonly unknown[] =>
      messages.flatMap(({ method, params }) =>
        method === 'notifications/message' ? [params?.['level']] : [],
      );
    await expect.poll(() => heard(loud), WAIT).toHaveLength(8);
    expect(heard(quiet)).toEqual(['error', 'critical', 'alert', 'emergency']);
  });

  it('A13: know their own tasks alone', async () => {
    await using shared = await SharedWindows.open({ jobs: { ...fixtureServer('tasks'), ...FOR_ALL } });
    await using one = await shared.window();
    await using two = await shared.window();
    const tasks: unknown[] = [];
    for (const window of [one, two]) {
      await untilListed(window, 'jobs__work');
      const { result } = await window.request('tools/call', { name: 'jobs__work', arguments: {}, task: {} });
      const { taskId } = (result?.['task'] ?? {}) as Task;
      tasks.push(taskId);
    }
    const [first, second] = tasks;
    expect(first).not.toBe(second);
    for (const [window, own, other] of [
      [one, first, second],
      [two, second, first],
    ] as const) {
      expect((await window.request('tasks/get', { taskId: own })).result).toMatchObject({ taskId: own });
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        expect((await window.request(method, { taskId: other })).error?.code).toBe(-32_602);
      const { result } = await window.request('tasks/list');
      const listed = (result?.['tasks'] ?? []) as readonly Task[];
      expect(listed.map(({ taskId }) => taskId)).toEqual([own]);
    }
  });
});
