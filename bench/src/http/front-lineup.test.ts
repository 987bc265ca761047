import { expect, it } from 'vitest';

import { FrontLineup } from './front-lineup.js';
import type { HttpFrontName } from './http-front.js';

const init = { payload: '100b', era: 'modern', clients: 1 } as const;

function withoutFronts(): FrontLineup {
  return new FrontLineup(init, () => Promise.reject(new Error('not to be had')));
}

it.each<HttpFrontName>(['mcp-proxy', 'tmcp', 'mcp-use', 'sdk-v2', 'embedded'])(
  'a run goes on without %s, and knows why',
  async (name) => {
    await using lineup = withoutFronts();
    await lineup.start(name);
    expect(lineup.has(name)).toBe(false);
    expect(lineup.leftOut).toEqual([
      { front: name, era: 'modern', payload: '100b', reason: 'not to be had' },
    ]);
  },
);

it.each<HttpFrontName>(['relay', 'mcpmux', 'mcpmux:/before'])('there is no run without %s', async (name) => {
  await using lineup = withoutFronts();
  await expect(lineup.start(name)).rejects.toThrow('not to be had');
});
