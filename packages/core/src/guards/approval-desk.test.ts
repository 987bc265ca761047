import { describe, expect, it } from 'vitest';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingLogger } from '../testing/recording-logger.js';
import { ApprovalDesk, type ApprovalDeskParts, type OpenApproval } from './approval-desk.js';
import {
  approvalForm,
  MAX_ARGUMENTS_LENGTH,
  argumentsForPerson,
  verdictOf,
  type CallToApprove,
} from './approval-question.js';
import type { ClientUser } from './guard.js';

const CALL: CallToApprove = {
  server: 's',
  tool: 't',
  arguments: '{"a":1}',
  principal: 'local',
  session: 1,
  scopes: ['once', 'session'],
};
const NO_FORMS: ClientUser = {
  takesForms: false,
  takesUrls: false,
  elicit: () => Promise.reject(new Error('takes none')),
  urlVisited: () => undefined,
};

/** A desk, and one call that waits for an approval. */
function asking(user: ClientUser, parts: ApprovalDeskParts = {}, isWatched = true) {
  const clock = new ManualClock();
  const desk = new ApprovalDesk({ clock, ...parts });
  const seen: OpenApproval[] = [];
  const unwatch = isWatched ? desk.watch((open) => seen.push(open)) : undefined;
  const end = new AbortController();
  const verdict = desk.ask(CALL, { user, signal: end.signal, timeoutMs: 1000 });
  return { clock, desk, seen, end, verdict, unwatch };
}

/** A client whose form stays open until the test answers it, or the desk withdraws it. */
function form() {
  let answer: (result: Readonly<Record<string, unknown>>) => void = () => undefined;
  const asked: { form?: unknown; signal?: AbortSignal } = {};
  const user: ClientUser = {
    ...NO_FORMS,
    takesForms: true,
    elicit: (shown, signal) => {
      Object.assign(asked, { form: shown, signal });
      return new Promise((resolve) => (answer = (result) => resolve({ result })));
    },
  };
  return { user, asked, answer: (result: Readonly<Record<string, unknown>>) => answer(result) };
}

describe('a call that needs an approval', () => {
  it('E12: is listed while it waits, and whoever watches hears of it', async () => {
    const { desk, seen, verdict } = asking(NO_FORMS);
    const [open] = desk.list();
    expect(open).toMatchObject({ id: 1, server: 's', tool: 't', arguments: '{"a":1}' });
    expect(seen).toEqual([open]);
    expect(desk.answer(1, { isAllowed: true, scope: 'session' })).toBe(true);
    expect(await verdict).toEqual({ kind: 'allowed', scope: 'session' });
    expect(desk.list()).toEqual([]);
    expect(desk.answer(1, { isAllowed: true })).toBe(false);
  });

  it('E12: gets no wider approval than it can have', async () => {
    const { desk, verdict } = asking(NO_FORMS);
    expect(desk.answer(1, { isAllowed: true, scope: 'always' })).toBe(false);
    expect(desk.answer(1, { isAllowed: false })).toBe(true);
    expect(await verdict).toEqual({ kind: 'refused', reason: 'the user declined it' });
  });

  it('E12: is refused when its time is over', async () => {
    const { clock, verdict } = asking(NO_FORMS);
    clock.advance(999);
    clock.advance(1);
    expect(await verdict).toEqual({ kind: 'refused', reason: 'no person answered within 1 s' });
  });

  it('E12: is refused when it is cancelled, and its form is withdrawn', async () => {
    const { user, asked } = form();
    const { end, verdict, clock } = asking(user);
    end.abort();
    expect(await verdict).toMatchObject({ kind: 'refused', reason: 'the call was cancelled' });
    expect(asked.signal?.aborted).toBe(true);
    expect(clock.timerCount).toBe(0);
  });

  it('E12: is refused at once if no one can be asked, now or after the last watcher has left', async () => {
    const { verdict, desk } = asking(NO_FORMS, {}, false);
    expect(await verdict).toMatchObject({
      reason: expect.stringContaining('no one can be asked') as unknown,
    });
    desk.watch(() => undefined)();
    const second = await desk.ask(CALL, {
      user: NO_FORMS,
      signal: new AbortController().signal,
      timeoutMs: 1000,
    });
    expect(second.kind).toBe('refused');
  });

  it('E12: is decided by whoever answers first, and the form in the client is withdrawn then', async () => {
    const { user, asked, answer } = form();
    const { desk, verdict } = asking(user);
    expect(asked.form).toEqual(approvalForm(CALL));
    desk.answer(1, { isAllowed: true });
    expect(await verdict).toEqual({ kind: 'allowed', scope: 'once' });
    expect(asked.signal?.aborted).toBe(true);
    answer({ action: 'decline' });
    await nextTurn();
    expect(desk.list()).toEqual([]);
  });

  it('E12: waits for others if its client cannot be asked, and is refused if there are none', async () => {
    const user: ClientUser = {
      ...NO_FORMS,
      takesForms: true,
      elicit: () => Promise.resolve({ problem: 'gone' }),
    };
    const watched = asking(user);
    await nextTurn();
    watched.desk.answer(1, { isAllowed: true });
    expect((await watched.verdict).kind).toBe('allowed');
    expect(await asking(user, {}, false).verdict).toEqual({
      kind: 'refused',
      reason: 'the user could not be asked: gone',
    });
    const broken: ClientUser = {
      ...NO_FORMS,
      takesForms: true,
      elicit: () => Promise.reject(new Error('broken')),
    };
    expect((await asking(broken).verdict).kind).toBe('refused');
  });

  it('E12: is refused while many others of its session or its principal wait, and never for those of others', async () => {
    const { desk, verdict } = asking(NO_FORMS);
    const ask = (call: Partial<CallToApprove> = {}) => {
      const asked = { user: NO_FORMS, signal: new AbortController().signal, timeoutMs: 1000 };
      return desk.ask({ ...CALL, ...call }, asked);
    };
    for (let open = 1; open < 100; open += 1) void ask();
    const reason = '100 calls of this session wait for a person already';
    expect(await ask()).toEqual({ kind: 'refused', reason });
    for (let open = 100; open < 1000; open += 1) void ask({ session: open });
    expect(desk.list()).toHaveLength(1000);
    expect(await ask({ session: 5000 })).toMatchObject({
      reason: '1000 calls of this principal wait for a person already',
    });
    const other = ask({ principal: 'ann' });
    expect(desk.answer(1001, { isAllowed: true })).toBe(true);
    expect((await other).kind).toBe('allowed');
    desk.answer(1, { isAllowed: true });
    await verdict;
    void ask();
    expect(desk.list()).toHaveLength(1000);
  });

  it('E12: is still decided if someone who watches fails', async () => {
    const logger = new RecordingLogger();
    const { desk } = asking(NO_FORMS, { logger });
    desk.watch(() => {
      throw new Error('broken page');
    });
    const seen: number[] = [];
    desk.watch(({ id }) => seen.push(id));
    const asked = { user: NO_FORMS, signal: new AbortController().signal, timeoutMs: 1000 };
    const verdict = desk.ask(CALL, asked);
    expect([desk.answer(2, { isAllowed: true }), (await verdict).kind, seen]).toEqual([true, 'allowed', [2]]);
    expect(desk.list().map(({ id }) => id)).toEqual([1]);
    expect(JSON.stringify(logger.records)).toContain('broken page');
  });

  it('E12: leaves a record without its arguments', async () => {
    const logger = new RecordingLogger();
    const { desk, verdict } = asking(NO_FORMS, { logger });
    desk.answer(1, { isAllowed: false });
    await verdict;
    expect(JSON.stringify(logger.records)).toContain('the user declined it');
    expect(JSON.stringify(logger.records)).not.toContain('{\\"a\\":1}');
  });
});

it('E12: a store that fails approves nothing, and fails no call that a person has allowed', async () => {
  const fails = (): Promise<never> => Promise.reject(new Error('disk'));
  const desk = new ApprovalDesk({ store: { has: fails, add: fails } });
  expect(await desk.isStored('x')).toBe(false);
  await expect(desk.store('x', CALL)).resolves.toBeUndefined();
});

describe('the form of an approval', () => {
  it('E12: shows the arguments with invisible characters as escapes, and says what it cuts', () => {
    expect(argumentsForPerson('{"a":"b\u202Ec"}')).toBe(String.raw`{"a":"b\u{202e}c"}`);
    const long = argumentsForPerson('x'.repeat(MAX_ARGUMENTS_LENGTH + 7));
    expect(long).toMatch(/^x{8000}\n\(7 more characters are not shown\)$/);
  });

  it.each([
    [{ action: 'accept' }, 'once'],
    [{ action: 'accept', content: {} }, 'once'],
    [{ action: 'accept', content: { allow: 'the same call in this session' } }, 'session'],
    [{ action: 'accept', content: { allow: 'the same call from now on' } }, 'once'],
    [{ action: 'accept', content: { allow: 'always' } }, 'once'],
    [{ action: 'accept', content: null }, 'once'],
  ])('E12: %j allows %s', (result, scope) => {
    expect(verdictOf(result, CALL)).toEqual({ kind: 'allowed', scope });
  });

  it.each([
    [{}],
    [{ action: 'decline' }],
    [{ action: 'cancel' }],
    [{ action: 'ACCEPT' }],
    [{ content: { allow: 'this call only' } }],
  ])('E12: %j allows nothing', (result) => {
    expect(verdictOf(result, CALL).kind).toBe('refused');
  });
});
