import { fixtureCommand } from '@mcpmux/test-servers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { BearerTokens } from './auth/bearer-tokens.js';
import { FrontRig, messagesIn } from './testing/front-rig.js';
import { askModern } from './testing/modern-requests.js';

const TOKENS = ['token-of-ann-0123456789', 'token-of-bob-0123456789', 'token-of-cy-0123456789'];
const FORMS = { elicitation: { form: {} } };

interface Parked {
  readonly owner: number;
  readonly nonce: string;
  readonly state: string;
  isOpen: boolean;
}

interface Step {
  readonly kind: 'call' | 'retry' | 'tamper' | 'foreign';
  readonly client: number;
  readonly which: number;
}

const STEPS: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>('call', 'retry', 'retry', 'tamper', 'foreign'),
    client: fc.nat({ max: TOKENS.length - 1 }),
    which: fc.nat(),
  }),
  { minLength: 5, maxLength: 12 },
);

/** What came of a step, and what should. */
interface Outcome {
  readonly wanted: string;
  readonly text: string;
}

/** Clients that all use the same ids, and calls of theirs that wait for answers. */
class Callers {
  private readonly parked: Parked[] = [];
  private calls = 0;

  constructor(private readonly rig: FrontRig) {}

  perform({ kind, client, which }: Step): Promise<Outcome> {
    const one = this.parked[which % Math.max(1, this.parked.length)];
    if (kind === 'call' || one === undefined) return this.call(client);
    const { owner, state } = one;
    if (kind === 'tamper') return this.answer(one, owner, tampered(state, which));
    return this.answer(one, kind === 'foreign' ? (owner + 1) % TOKENS.length : owner, state);
  }

  /** Calls a tool that asks. Each client has a question of its own. */
  private async call(owner: number): Promise<Outcome> {
    this.calls += 1;
    const nonce = `nonce-${this.calls}-of-${owner}`;
    const text = await this.send(owner, { owner, nonce }, {});
    const { requestState: state = '' } = (messagesIn(text).at(-1)?.['result'] ?? {}) as {
      readonly requestState?: string;
    };
    this.parked.push({ owner, nonce, state, isOpen: true });
    return { wanted: `[i${owner}] ${nonce}`, text };
  }

  /** Comes back with the answer, under a state. */
  private async answer(one: Parked, by: number, requestState: string): Promise<Outcome> {
    const content = { name: `answer to ${one.nonce}` };
    const inputResponses = { r1: { action: 'accept', content } };
    const goesOn = one.isOpen && by === one.owner && requestState === one.state;
    if (goesOn) one.isOpen = false;
    const text = await this.send(by, one, { inputResponses, requestState });
    return { wanted: goesOn ? content.name : '"code":-32602', text };
  }

  private async send(
    by: number,
    { owner, nonce }: Pick<Parked, 'owner' | 'nonce'>,
    more: object,
  ): Promise<string> {
    const params = { message: nonce, requestedSchema: { type: 'object', properties: {} } };
    // Each client has a server of its own: of several at one server, mcpmux asks nobody.
    const call = { name: `i${owner}__ask`, arguments: { method: 'elicitation/create', params }, ...more };
    const headers = { authorization: `Bearer ${TOKENS[by] ?? ''}` };
    const { text } = await askModern(this.rig, 'tools/call', call, { capabilities: FORMS, headers });
    return text;
  }
}

function tampered(state: string, at: number): string {
  const place = at % state.length;
  const other = state[place] === 'A' ? 'B' : 'A';
  return `${state.slice(0, place)}${other}${state.slice(place + 1)}`;
}

it('a request goes on once, for its own principal, by the very state that it was given', async () => {
  const credentials = BearerTokens.of(TOKENS);
  if ('problem' in credentials) throw new Error(credentials.problem);
  await using rig = await FrontRig.guarded({ entrance: { credentials } });
  for (const [owner] of TOKENS.entries()) await rig.mux.addServer(`i${owner}`, fixtureCommand('interactive'));
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const callers = new Callers(rig);
      for (const step of steps) {
        const { wanted, text } = await callers.perform(step);
        expect(text).toContain(wanted);
      }
    }),
    propertyRuns(12),
  );
  expect(rig.front.counts.inFlight).toBe(0);
});
