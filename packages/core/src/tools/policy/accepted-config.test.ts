import { describe, expect, it } from 'vitest';

import { configToRegister } from './add-gate.js';

describe('the url of a server', () => {
  it('I17: that a user has accepted leads to the public internet if its host says so', () => {
    const config = { url: 'https://example.com/mcp', headers: { A: 'b' } };
    expect(configToRegister(config, 'ask')).toEqual({ ...config, publicOnly: true });
  });

  it.each(['http://localhost:3000/mcp', 'http://127.0.0.1/mcp', 'http://nas.local/mcp', 'no url'])(
    'I17: %s may be local, as the user has read',
    (url) => {
      expect(configToRegister({ url }, 'ask')).toEqual({ url });
    },
  );

  it('I17: may lead anywhere under the policy allow', () => {
    const config = { url: 'https://example.com/mcp' };
    expect(configToRegister(config, 'allow')).toEqual(config);
  });
});
