import { createMux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { measureHeldHeapBytes } from '@mcpmux/testing/held-memory';
import { expect, it } from 'vitest';

import { BearerTokens } from './auth/bearer-tokens.js';
import { FrontRig, messagesIn } from './testing/front-rig.js';
import { askModern, type ModernInit } from './testing/modern-requests.js';

const CALLERS = ['ann', 'bob', 'cy', 'dee'].map((name, number) => ({
  server: `i${number}`,
  token: `token-of-${name}-0123456789`,
}));
const CALLS = 500;
const LIMITS = { maxParkedCalls: 1024, maxParkedPerClient: CALLS, maxParkedPerServer: CALLS };
const MB = 1024 * 1024;

type Caller = (typeof CALLERS)[number];

/** A call that was answered with a question. */
interface Parked {
  readonly caller: Caller;
  readonly word: string;
  readonly requestState: string;
}

function init({ token }: Caller, id: string): ModernInit {
  const headers = { authorization: `Bearer ${token}` };
  return { id, headers, capabilities: { elicitation: { form: {} } } };
}

/** The params of a call, with a question of its own that is long enough to be missed in memory. */
function call({ server }: Caller, word: string): object {
  const requestedSchema = { type: 'object', properties: { name: { title: word.padEnd(8192, '.') } } };
  const params = { message: word, requestedSchema };
  return { name: `${server}__ask`, arguments: { method: 'elicitation/create', params } };
}

async function park(rig: FrontRig, caller: Caller, word: string): Promise<Parked> {
  const [asked, ...more] = messagesIn(
    (await askModern(rig, 'tools/call', call(caller, word), init(caller, word))).text,
  );
  expect([asked, more]).toMatchObject([{ id: word, result: { resultType: 'input_required' } }, []]);
  const { requestState = '' } = (asked?.['result'] ?? {}) as { readonly requestState?: string };
  return { caller, word, requestState };
}

/** Each caller parks calls of its own, one after the other. */
async function parkMany(rig: FrontRig, calls: number, named: string): Promise<readonly Parked[]> {
  const ofEach = CALLERS.map(async (caller) => {
    const parked: Parked[] = [];
    for (let number = 0; number < calls; number += 1)
      parked.push(await park(rig, caller, `${named} ${number} of ${caller.server}`));
    return parked;
  });
  return (await Promise.all(ofEach)).flat();
}

/** Comes back with the answer. Gives why the call does not go on, or else whether the server got that answer. */
async function comeBack(rig: FrontRig, { caller, word, requestState }: Parked): Promise<string> {
  const inputResponses = { r1: { action: 'accept', content: { name: `answer to ${word}` } } };
  const retry = { ...call(caller, word), inputResponses, requestState };
  const { text } = await askModern(rig, 'tools/call', retry, init(caller, word));
  const [answer, ...more] = messagesIn(text);
  expect([answer, more]).toMatchObject([{ id: word }, []]);
  const { message } = (answer?.['error'] ?? {}) as { readonly message?: string };
  return message ?? (text.includes(`answer to ${word}`) ? 'goes on' : text);
}

it('S17, D28: of 2,000 parked calls over HTTP the oldest are given up beyond the limit, and each is answered once', async () => {
  const credentials = BearerTokens.of(CALLERS.map(({ token }) => token));
  if ('problem' in credentials) throw new Error(credentials.problem);
  await using rig = await FrontRig.guarded({
    entrance: { credentials },
    mux: createMux({}, { limits: LIMITS }),
  });
  for (const { server } of CALLERS) await rig.mux.addServer(server, fixtureCommand('interactive'));
  const endings: string[] = [];
  rig.mux.on('call:end', ({ ending }) => endings.push(ending));

  const early = await parkMany(rig, CALLS / 2, 'early');
  const full = measureHeldHeapBytes();
  const late = await parkMany(rig, CALLS / 2, 'late');
  expect(measureHeldHeapBytes() - full).toBeLessThan(8 * MB);
  const over = early.length + late.length - LIMITS.maxParkedCalls;
  expect(endings).toEqual(Array<string>(over).fill('cancelled'));

  const outcomes: string[] = [];
  for (let at = 0; at < CALLS; at += 1) {
    const some = [...early, ...late].filter((_, index) => index % CALLS === at);
    outcomes.push(...(await Promise.all(some.map((parked) => comeBack(rig, parked)))));
  }
  const goOn = outcomes.filter((outcome) => outcome === 'goes on');
  const refused = outcomes.filter((outcome) => outcome !== 'goes on');
  expect(goOn).toHaveLength(LIMITS.maxParkedCalls);
  expect(refused).toHaveLength(over);
  for (const reason of new Set(refused)) expect(reason).toContain('too many requests were parked after it');
  expect(endings).toHaveLength(early.length + late.length);
  expect(rig.front.counts).toMatchObject({ open: 0, inFlight: 0 });
}, 120_000);
