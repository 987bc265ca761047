import { describe, expect, it } from 'vitest';

import { fixtureCommand } from '@mcpmux/test-servers';
import { ANYBODY, type Principal } from '../guards/principal.js';
import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';
import { statelessLines } from '../testing/stateless-call.js';

const TEAM: Principal = { id: 'team', roles: [], rights: [] };

async function withAsking(): Promise<Mux> {
  const mux = createMux();
  await mux.addServer('i', fixtureCommand('interactive'));
  return mux;
}

/** A call whose server asks the user a question with the words of the call. */
function ask(mux: Mux, words: string, principal: Principal): Promise<readonly string[]> {
  const params = { message: words, requestedSchema: { type: 'object', properties: {} } };
  const call = { name: 'i__ask', arguments: { method: 'elicitation/create', params } };
  return statelessLines({ mux }, 'tools/call', call, { principal });
}

describe.each([
  ['without credentials', ANYBODY],
  ['with one token', TEAM],
])('of many agents %s', (_, principal) => {
  it('no question of the call of one is in the answer to another, and no call waits for it', async () => {
    await using mux = await withAsking();
    const words = Array.from({ length: 100 }, (__, index) => `secret-of-${index}.`);
    const answers = await Promise.all(words.map((one) => ask(mux, one, principal)));
    for (const [index, lines] of answers.entries()) {
      expect(lines).toHaveLength(1);
      const others = words.filter((word) => word !== words[index] && lines.join('').includes(word));
      expect(others).toEqual([]);
    }
    expect(answers.flat().join('\n')).toContain('cannot tell which to ask');
  });

  it('one whose user does not answer keeps no later call from asking its own', async () => {
    await using mux = await withAsking();
    await ask(mux, 'first.', principal);
    const [second] = await ask(mux, 'second.', principal);
    expect(second).toContain('second.');
    expect(second).not.toContain('first.');
  });
});
