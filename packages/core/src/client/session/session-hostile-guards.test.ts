import { expect, it, onTestFinished } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import { resultAnswer } from '../../guards/answers.js';
import { callAudit } from '../../guards/call-audit.js';
import { GuardRefusal } from '../../guards/guard-refusal.js';
import type { GuardHandler } from '../../guards/guard.js';
import { runningServer } from '../../testing/running-server.js';
import { type Answer, SessionRig } from '../../testing/session-rig.js';

/** What would end the process of a host. */
function defects(): readonly unknown[] {
  const found: unknown[] = [];
  const note = (reason: unknown): void => void found.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return found;
}

/** A guard in JavaScript, which returns whatever it likes. */
const returning = (make: () => unknown): GuardHandler => make as unknown as GuardHandler;
const result = (json: unknown): unknown => resultAnswer(json as Buffer);

const circular: { self?: unknown } = {};
circular.self = circular;
const throwing = {
  toJSON: () => {
    throw new Error('toJSON');
  },
};
const mute: object = Object.create(null) as object;
const isNothing = (value: unknown): boolean => value === undefined;
const isJson = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
};
const own = (more: object): unknown => ({ kind: 'result', isToolError: false, bytes: 2, ...more });

const object: object = {};
/** Objects that are results of their own. */
const isResult = (value: unknown): boolean => value === object || value === mute;

it.each<[string, GuardHandler]>([
  ...[undefined, null, 7, 7n, 'text', true, Symbol('s'), object, [], circular, throwing, mute].flatMap(
    (value): [string, GuardHandler][] => [
      [`returns ${typeof value}`, returning(() => value)],
      [`returns resultAnswer of ${typeof value}`, returning(() => (isResult(value) ? value : result(value)))],
      [
        `changes arguments into ${typeof value}, which is no JSON`,
        (_, next) => next({ params: { arguments: isJson(value) ? Buffer.from('{') : value } }),
      ],
      [`gives ${typeof value} for a change`, (_, next) => next((isNothing(value) ? 7 : value) as never)],
      [`resolves to ${typeof value}`, returning(() => Promise.resolve(value))],
      [
        `throws ${typeof value}`,
        returning(() => {
          throw value as Error;
        }),
      ],
      [`rejects with ${typeof value}`, returning(() => Promise.reject(value))],
      [`gives ${typeof value} as json`, returning(() => own({ json: value }))],
      [
        `refuses with ${typeof value} as data`,
        returning(() => {
          throw new GuardRefusal('no', { reason: 'r', data: { value } });
        }),
      ],
    ],
  ),
  ...['', '42', '"text"', 'null', '[]', '{', '{}{}', '{"a":1}\n', '{},"error":{}', 'not JSON'].map(
    (json): [string, GuardHandler] => [
      `answers ${JSON.stringify(json)}`,
      returning(() => result(Buffer.from(json))),
    ],
  ),
  ['has a kind of its own', returning(() => own({ kind: 'other', json: Buffer.from('{}') }))],
  [
    'throws in json',
    returning(() =>
      own({
        get json() {
          throw mute as Error;
        },
      }),
    ),
  ],
  [
    'throws in kind',
    returning(() => ({
      get kind() {
        throw new Error('kind');
      },
    })),
  ],
])('a guard that %s costs its own request one answer, and nobody else anything', async (_, handle) => {
  const found = defects();
  const { upstream } = runningServer('a', ['get']);
  const rig = new SessionRig([upstream]);
  rig.guards.use({ handle });
  rig.call('7', 'a__get');
  await nextTurn();
  const answers = rig.client.lines.map((line) => JSON.parse(line) as Answer);
  expect(answers).toMatchObject([{ id: 7, error: { code: expect.any(Number) as number } }]);
  await expect(rig.answerTo('{"jsonrpc":"2.0","id":8,"method":"ping"}')).resolves.toMatchObject({
    result: {},
  });
  expect(found).toEqual([]);
});

it('a guard that never settles leaves its caller an answer at the end of the session, and others theirs', async () => {
  const { upstream } = runningServer('a', ['get']);
  const rig = new SessionRig([upstream]);
  rig.guards.use({ methods: ['tools/call'], handle: () => new Promise(() => undefined) });
  rig.call('7', 'a__get');
  await expect(rig.answerTo('{"jsonrpc":"2.0","id":8,"method":"ping"}')).resolves.toMatchObject({
    result: {},
  });
  void rig.session.finish(0);
  rig.clock.advance(1);
  await nextTurn();
  const answers = rig.client.lines.map((line) => JSON.parse(line) as Answer);
  expect(answers.filter(({ id }) => id === 7)).toMatchObject([{ error: { code: -32_603 } }]);
});

it('a guard that rejects after its request is over is heard by nobody', async () => {
  const found = defects();
  const { upstream } = runningServer('a', ['get']);
  const rig = new SessionRig([upstream]);
  let reject: (error: unknown) => void = () => undefined;
  rig.guards.use({ handle: () => new Promise((_, fail) => (reject = fail)) });
  rig.call('7', 'a__get');
  rig.cancel('7');
  await nextTurn();
  reject(new Error('late'));
  await nextTurn();
  expect([rig.client.lines, found]).toEqual([[], []]);
});

it('a filter of a guard that throws hides what it was asked about', async () => {
  const { upstream } = runningServer('a', ['get']);
  const rig = new SessionRig([upstream]);
  rig.guards.use({
    shows: () => {
      throw new Error('shows');
    },
  });
  const { result: list } = await rig.answerTo('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  expect(JSON.stringify(list)).not.toContain('a__get');
});

it('an audit sink that is asynchronous and fails ends nothing', async () => {
  const found = defects();
  const { upstream, server } = runningServer('a', ['get']);
  const rig = new SessionRig([upstream]);
  const sink: () => unknown = () => Promise.reject(new Error('the disk is full'));
  rig.guards.use(callAudit({ sink }));
  rig.call('7', 'a__get');
  await nextTurn();
  server.answer(1, '{"content":[]}');
  await nextTurn();
  expect(rig.client.lines).toEqual(['{"jsonrpc":"2.0","id":7,"result":{"content":[]}}']);
  expect(found).toEqual([]);
});
