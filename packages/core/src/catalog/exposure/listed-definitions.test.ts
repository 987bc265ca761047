import { expect, it } from 'vitest';

import { listedDefinitions } from './listed-definitions.js';

const TOOLS = ['one', 'two'].map((name) => ({
  server: 'a',
  name,
  json: JSON.stringify({ name: `a__${name}`, title: 'T', description: 'First. Second.' }),
}));

it('definitions are listed as a client would have them', () => {
  const none = listedDefinitions(TOOLS, { exposure: { mode: 'search' }, ofServer: () => undefined });
  expect(none).toEqual([undefined, undefined]);
  const pinned = listedDefinitions(TOOLS, {
    exposure: { slim: true },
    ofServer: () => ({ mode: 'search', isPinned: (tool) => tool === 'two' }),
  });
  expect(pinned).toEqual([undefined, '{"name":"a__two","description":"First."}']);
  const ofClient = listedDefinitions(TOOLS, {
    exposure: { clients: [{ name: 'x', exposure: { mode: 'search' } }] },
    ofServer: () => undefined,
  });
  expect(ofClient).toEqual(TOOLS.map(({ json }) => json));
});
