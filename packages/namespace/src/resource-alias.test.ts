import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { aliasUri } from './resource-alias.js';
import { parseServerName } from './server-name.js';
import { anyText, serverName } from './testing/arbitrary-names.js';

describe('the alias of a resource', () => {
  it.each([
    ['ui://main', 'b', 'ui://b/main'],
    ['ui://dash/main', 'b', 'ui://b/dash/main'],
    ['skill://refunds/SKILL.md', 'shop', 'skill://shop/refunds/SKILL.md'],
    ['file:///etc/hosts', 'b', 'file://b//etc/hosts'],
    ['urn:isbn:1', 'b', 'mcpmux:b:urn:isbn:1'],
    ['no uri at all', 'b', 'mcpmux:b:no uri at all'],
    ['test://a', '日本', 'test://%E6%97%A5%E6%9C%AC/a'],
  ])('A3: keeps the scheme and the end of %s', (uri, server, alias) => {
    expect(aliasUri(uri, parseServerName(server))).toBe(alias);
  });

  it('A3: is another one for each resource of a server', () => {
    const uri = fc.oneof(
      anyText,
      anyText.map((text) => `x://${text}`),
    );
    fc.assert(
      fc.property(serverName, uri, uri, (server, one, other) => {
        expect(aliasUri(one, server) === aliasUri(other, server)).toBe(one === other);
      }),
    );
  });
});
