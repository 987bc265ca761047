import fc from 'fast-check';
import { expect, it } from 'vitest';

import { guardContext } from '../testing/guard-context.js';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { resultAnswer } from './answers.js';
import { ApprovalDesk, type ApprovalStore } from './approval-desk.js';
import type { ApprovalScope } from './approval-question.js';
import { approvals } from './approvals.js';
import type { GuardAnswer, GuardChange, GuardContext } from './guard.js';
import { ANYBODY, HOST } from './principal.js';

/** Everything that makes a call another call. Each has few values, so that equal calls are frequent. */
const CALL = fc.record({
  args: fc.constantFrom('{"a":1}', '{"a": 1}', '{"a":1.0}', '{"a":1,"b":2}', '{"b":2,"a":1}', undefined),
  tool: fc.constantFrom('t', 'u'),
  server: fc.constantFrom('s', 'S'),
  command: fc.constantFrom('one', 'two'),
  definition: fc.constantFrom('as approved', 'changed', undefined),
  principal: fc.constantFrom('ann', 'bob', ANYBODY.id),
  client: fc.constantFrom('x', 'y', undefined),
  session: fc.constantFrom(1, 2),
  era: fc.constantFrom('legacy' as const, 'modern' as const),
  isNested: fc.boolean(),
  hasSession: fc.boolean(),
  isFromNode: fc.boolean(),
  approvedByNode: fc.constantFrom('as approved', 'changed', undefined),
  requestState: fc.constantFrom('"q"', '"r"', undefined),
  hasResponses: fc.boolean(),
});
type Call = typeof CALL extends fc.Arbitrary<infer Value> ? Value : never;
const PARTS = [
  'args',
  'tool',
  'server',
  'command',
  'definition',
  'principal',
  'client',
  'session',
  'era',
  'isNested',
  'hasSession',
  'isFromNode',
  'approvedByNode',
  'requestState',
  'hasResponses',
] as const satisfies readonly (keyof Call)[];

interface Step {
  readonly call: Call;
  /** The person's answer, if the person is asked. */
  readonly says: ApprovalScope | 'no';
  /** The state of the server's questions, if it answers with questions; `none` for questions without a state. */
  readonly asks: string | undefined;
}

const SAYS = fc.constantFrom<Step['says']>('once', 'session', 'always', 'no');
const ASKS = fc.constantFrom('q', 'r', 'none', undefined);

/** Calls that have nothing in common, and repetitions of one call of which each differs in one part at most. */
const STEPS = fc.oneof(
  fc.array(fc.record({ call: CALL, says: SAYS, asks: ASKS }), { maxLength: 30 }),
  CALL.chain((first) => {
    const parts = fc.constantFrom(...PARTS);
    const varied = fc
      .tuple(parts, CALL)
      .map(([part, other]): Call => Object.assign(structuredClone(first), { [part]: other[part] }));
    const step = fc.record({ call: fc.oneof(fc.constant(first), varied), says: SAYS, asks: ASKS });
    return fc.array(step, { maxLength: 40 });
  }),
);

const JUDGED = PARTS.filter(
  (part) => !['session', 'hasSession', 'requestState', 'approvedByNode', 'hasResponses'].includes(part),
);

/** Two equal calls differ in nothing that a person has judged, whatever the session is. */
const sameCall = (call: Call): string => JSON.stringify(JUDGED.map((part) => call[part]));

class MemoryStore implements ApprovalStore {
  readonly digests = new Set<string>();
  has = (digest: string): Promise<boolean> => Promise.resolve(this.digests.has(digest));
  add = (digest: string): Promise<void> => Promise.resolve(void this.digests.add(digest));
}

/** A guard, a person who answers as told, and a server. */
class Run {
  asked = 0;
  says: ApprovalScope | 'no' = 'no';
  passed: GuardChange | undefined | 'not' = 'not';
  private readonly desk = new ApprovalDesk({ store: new MemoryStore() });
  private readonly guard = approvals({ rules: [{}], desk: this.desk });

  constructor() {
    this.desk.watch(({ id, scopes }) => {
      this.asked += 1;
      const { says } = this;
      const scope = says === 'no' || !scopes.includes(says) ? 'once' : says;
      this.desk.answer(id, { isAllowed: says !== 'no', scope });
    });
  }

  async call(context: GuardContext, asks: string | undefined): Promise<GuardAnswer | undefined> {
    this.passed = 'not';
    const state = asks === 'none' ? {} : { requestState: asks };
    const done = asks === undefined ? {} : { resultType: 'input_required', ...state };
    return this.guard.handle?.(context, (change) => {
      this.passed = change;
      return Promise.resolve(resultAnswer(done));
    });
  }
}

function contextOf(call: Call): GuardContext {
  const { definition, command, principal, isFromNode, approvedByNode, args, requestState, hasResponses } =
    call;
  const raw = new Map([
    ['arguments', args],
    ['requestState', requestState],
    ['inputResponses', hasResponses ? '{}' : undefined],
  ]);
  const identity = definition === undefined ? undefined : { server: command + call.server, definition };
  return {
    ...guardContext({ server: call.server, tool: call.tool }),
    principal: { id: principal, roles: [], rights: [] },
    client: call.client,
    session: call.session,
    era: call.era,
    isNested: call.isNested,
    hasSession: call.hasSession,
    isFromNode,
    isApprovedByNode: isFromNode && approvedByNode !== undefined && approvedByNode === definition,
    toolIdentity: identity && { ...identity, definition: `${call.tool} ${identity.definition}` },
    params: args === undefined ? {} : { arguments: JSON.parse(args) as unknown },
    readRaw: (member) => {
      const text = raw.get(member);
      return text === undefined ? undefined : Buffer.from(text);
    },
  };
}

/** What a person has said so far, in the simplest form: the calls that pass without a question. */
class Model {
  private readonly always = new Set<string>();
  private readonly sessions = new Set<string>();
  private readonly continued = new Set<string>();

  /** True if a person, or a node that has asked one, has approved this very call before. */
  permits(call: Call): boolean {
    const { session, requestState, hasResponses, isFromNode, approvedByNode, definition } = call;
    if (isFromNode && approvedByNode !== undefined && approvedByNode === definition) return true;
    const inSession = `${session} ${sameCall(call)}`;
    const state = requestState ?? (hasResponses ? '"none"' : undefined);
    if (state !== undefined && this.continued.delete(`${state} ${inSession}`)) return true;
    return this.sessions.has(inSession) || this.always.has(sameCall(call));
  }

  allowed(call: Call, says: ApprovalScope): void {
    const { hasSession, session, isFromNode, principal } = call;
    if (isFromNode) return;
    if (says === 'session' && hasSession) this.sessions.add(`${session} ${sameCall(call)}`);
    if (says === 'always' && principal !== ANYBODY.id) this.always.add(sameCall(call));
  }

  passed(call: Call, asks: string | undefined): void {
    const isByNode =
      call.isFromNode && call.approvedByNode !== undefined && call.approvedByNode === call.definition;
    if (asks !== undefined && call.hasSession && !isByNode)
      this.continued.add(`"${asks}" ${call.session} ${sameCall(call)}`);
  }
}

it('E12: an approval for one call never lets another through', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const run = new Run();
      const model = new Model();
      for (const { call, says, asks } of steps) {
        run.says = says;
        const before = run.asked;
        await run.call(contextOf(call), asks);
        const wasAsked = run.asked > before;
        // Without a definition the call goes on without a question, and is refused for whatever tool it finds.
        const isPermitted = call.definition === undefined || model.permits(call);
        expect(wasAsked).toBe(!isPermitted);
        const hasPassed = isPermitted || says !== 'no';
        expect(run.passed).toEqual(hasPassed ? { isApproved: true } : 'not');
        if (call.definition === undefined) continue;
        if (wasAsked && says !== 'no') model.allowed(call, says);
        if (hasPassed) model.passed(call, asks);
      }
    }),
    propertyRuns(1000),
  );
});

it('E12: calls of the host and of own tools are not asked about, and those of a node for its host are', async () => {
  const run = new Run();
  const host = { ...guardContext({ server: 's', tool: 't', definition: {} }), principal: HOST };
  await run.call(host, undefined);
  await run.call(guardContext({ server: 'mcpmux', tool: 'add_server' }), undefined);
  expect([run.asked, run.passed]).toEqual([0, undefined]);
  await run.call(guardContext({ tool: 't' }), undefined);
  expect([run.asked, run.passed]).toEqual([0, { isApproved: true }]);
  await run.call({ ...host, isFromNode: true }, undefined);
  expect([run.asked, run.passed]).toEqual([1, 'not']);
});

it('E12: arguments that stand twice are refused, because nobody knows which the server reads', async () => {
  const run = new Run();
  run.says = 'once';
  const twice = {
    ...guardContext({ server: 's', tool: 't', definition: {} }),
    params: { arguments: { a: 2 } },
    readRaw: () => undefined,
  };
  await expect(run.call(twice, undefined)).rejects.toThrow('has its arguments twice');
  expect([run.asked, run.passed]).toEqual([0, 'not']);
});

it('E12: a refusal is a tool error for a model', async () => {
  const run = new Run();
  const context = guardContext({ server: 's', tool: 't', definition: {}, params: { arguments: {} } });
  const answer = await run.call(context, undefined);
  expect(answer?.isToolError).toBe(true);
  expect(answer?.json.toString()).toMatch(/"t\\" of server \\"s\\" was not called: .*the user declined it/);
});
