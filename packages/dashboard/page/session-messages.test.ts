import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { followMessages } from './session-messages.js';
import { turn } from './turn.js';

const LINE = '{"messages":[],"missed":0}\n';
const NO_SESSION = (): Response => Response.json({ error: 'no such session' }, { status: 404 });
const REFUSED = (): Response => Response.json({ error: 'no' }, { status: 401 });

/** A stream of one line that ends, or breaks. */
function stream(isBroken = false): Response {
  const read = [new TextEncoder().encode(LINE)];
  return new Response(
    new ReadableStream({
      pull: (body) => {
        const next = read.shift();
        if (next !== undefined) body.enqueue(next);
        else if (isBroken) body.error(new TypeError('network error'));
        else body.close();
      },
    }),
  );
}

/** Follows with these answers. Returns what was told, in its order. */
async function reported(...answers: readonly (() => Response)[]): Promise<readonly string[]> {
  const left = [...answers];
  vi.stubGlobal('fetch', async () => {
    const answer = left.shift();
    if (answer === undefined) throw new Error('asked once more');
    return answer();
  });
  const all: string[] = [];
  const done = followMessages(7, new AbortController().signal, {
    batch: () => all.push('batch'),
    away: () => all.push('away'),
    gone: () => all.push('gone'),
  });
  const ended = { is: false };
  void done.finally(() => (ended.is = true));
  // The reader of a stream waits for messages of the browser between its lines, which are no timers.
  while (!ended.is) {
    await vi.runAllTimersAsync();
    await turn();
  }
  expect(left).toEqual([]);
  return all;
}

const unreachable = (): Response => {
  throw new TypeError('Failed to fetch');
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.stubGlobal('localStorage', { getItem: () => '' });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a stream that breaks is opened again, and the time without mcpmux is told', async () => {
  const answers = [() => stream(true), unreachable, unreachable, () => stream(), NO_SESSION];
  expect(await reported(...answers)).toEqual(['batch', 'away', 'away', 'away', 'batch', 'gone']);
});

it('a session that ends is told at once, and is no interruption', async () => {
  expect(await reported(() => stream(), NO_SESSION)).toEqual(['batch', 'gone']);
  expect(await reported(NO_SESSION)).toEqual(['gone']);
});

it('a mcpmux that does not know the page is not asked again', async () => {
  expect(await reported(REFUSED)).toEqual([]);
});
