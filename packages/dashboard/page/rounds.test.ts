import { expect, it } from 'vitest';

import type { Json } from './connection.js';
import { converse, type Questions, type Steps } from './rounds.js';

const FORM = { method: 'elicitation/create', params: { message: 'Name?' } };
const DONE = { content: [] };

/** A server that answers with these results, the last one for ever, and a user who answers all questions alike. */
class Round {
  readonly sent: Json[] = [];
  readonly asked: Questions[] = [];
  readonly withdrawn: string[] = [];
  readonly pauses: number[] = [];

  constructor(
    private readonly results: readonly Json[],
    private readonly answers: () => Promise<Json> = async () => ({ who: { action: 'decline' } }),
  ) {}

  run(): Promise<Json> {
    const steps: Steps = {
      send: async (further) => {
        this.sent.push(further);
        return this.results[Math.min(this.sent.length, this.results.length) - 1] ?? {};
      },
      ask: (questions) => {
        this.asked.push(questions);
        return this.answers();
      },
      pause: async (tries) => void this.pauses.push(tries),
      withdraw: (state) => void this.withdrawn.push(state),
    };
    return converse(steps);
  }
}

function asking(inputRequests?: unknown, requestState?: unknown): Json {
  return {
    resultType: 'input_required',
    ...(inputRequests !== undefined && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  };
}

it('a request is sent again with the answers of the user and the state of its server', async () => {
  const round = new Round([asking({ who: FORM }, 'st/1'), DONE]);
  await expect(round.run()).resolves.toBe(DONE);
  expect(round.asked).toEqual([{ who: FORM }]);
  expect(round.sent).toEqual([{}, { inputResponses: { who: { action: 'decline' } }, requestState: 'st/1' }]);
  expect(round.withdrawn).toEqual([]);
});

it('a server that asks for nothing but another try gets it after a pause, and nobody is asked', async () => {
  const round = new Round([asking(undefined, 'a'), asking({}, 'b'), DONE]);
  await expect(round.run()).resolves.toBe(DONE);
  expect(round.pauses).toEqual([1, 2]);
  expect(round.asked).toEqual([]);
  expect(round.sent.slice(1)).toEqual([
    { inputResponses: {}, requestState: 'a' },
    { inputResponses: {}, requestState: 'b' },
  ]);
});

it('a request whose server asks for another try for ever is given up', async () => {
  const round = new Round([asking(undefined, 'x')]);
  await expect(round.run()).rejects.toThrow('another try, without a question, 10 times in a row');
  expect(round.sent).toHaveLength(11);
  expect(round.withdrawn).toEqual(['x']);
});

it('a request whose server asks the same for ever is given up, also with other keys', async () => {
  const results = Array.from({ length: 20 }, (_, index) => asking({ [`r${index}`]: FORM }, `s${index}`));
  const round = new Round(results);
  await expect(round.run()).rejects.toThrow('has asked the same 10 times in a row');
  expect(round.asked).toHaveLength(10);
  expect(round.withdrawn).toEqual(['s10']);
});

it('a server may ask many different questions', async () => {
  const results = Array.from({ length: 30 }, (_, index) =>
    asking({ q: { method: 'elicitation/create', params: { message: `${index}?` } } }),
  );
  const round = new Round([...results, DONE]);
  await expect(round.run()).resolves.toBe(DONE);
  expect(round.asked).toHaveLength(30);
});

it('a request that waits for an answer is withdrawn when the user does not answer', async () => {
  const round = new Round([asking({ who: FORM }, 'parked')], () => Promise.reject(new Error('cancelled')));
  await expect(round.run()).rejects.toThrow('cancelled');
  expect(round.withdrawn).toEqual(['parked']);
});

it.each([
  [[FORM]],
  ['text'],
  [7],
  [{ who: 'text' }],
  [{ who: null }],
  [{ who: {} }],
  [{ who: { ...FORM, params: [] } }],
])('questions that are no requests are not put to the user: %j', async (questions) => {
  const round = new Round([asking(questions, 's')]);
  await expect(round.run()).rejects.toThrow('in a way that the page cannot read');
  expect(round.asked).toEqual([]);
  expect(round.withdrawn).toEqual(['s']);
});

it('a question without params, and one whose key is a name of Object, is put to the user', async () => {
  const keys = JSON.parse(
    '{"__proto__":{"method":"elicitation/create"},"toString":{"method":"x/y"}}',
  ) as Json;
  const round = new Round([asking(keys), DONE]);
  await round.run();
  expect(round.asked.map((questions) => Object.entries(questions))).toEqual([
    [
      ['__proto__', { method: 'elicitation/create', params: {} }],
      ['toString', { method: 'x/y', params: {} }],
    ],
  ]);
});
