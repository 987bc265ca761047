import { describe, expect, it } from 'vitest';

import { maskArgs } from './mask-secrets.js';

describe('maskArgs', () => {
  it.each([
    [
      ['--token', 'abc', '--port', '3'],
      ['--token', '[redacted]', '--port', '3'],
    ],
    [
      ['--token', '--verbose'],
      ['--token', '--verbose'],
    ],
    [['--api-key=abc d'], ['--api-key=[redacted]']],
    [['--password='], ['--password=']],
    [
      ['-e', 'DB_PASS=x'],
      ['-e', 'DB_PASS=[redacted]'],
    ],
    [
      ['-H', 'Authorization: Bearer a b'],
      ['-H', 'Authorization: [redacted]'],
    ],
    [['--header=X-Api-Key: v'], ['--header=X-Api-Key: [redacted]']],
    [['https://u:p@h/a?api_key=b&c=d'], ['https://[redacted]@h/a?api_key=[redacted]&c=d']],
    [['{"token": "a\'b", "n": 1}'], ['{"token": "[redacted]", "n": 1}']],
    [
      ['--config', '{"token":"a b"}'],
      ['--config', '{"token":"[redacted]"}'],
    ],
    [['sh -c "TOKEN=a node b.js"'], ['sh -c "TOKEN=[redacted] node b.js"']],
    [['ghp_abcdefgh'], ['[redacted]']],
    [['https://registry.npmjs.org/@scope/pkg'], ['https://registry.npmjs.org/@scope/pkg']],
    [
      ['--max-tokens', '4000', '--token-file', '/run/t'],
      ['--max-tokens', '4000', '--token-file', '/run/t'],
    ],
    [
      ['npm_config_registry=https://r', '--sort-key', 'name'],
      ['npm_config_registry=https://r', '--sort-key', 'name'],
    ],
  ])('fault H3: shows %j as %j', (args, shown) => {
    expect(maskArgs(args).args).toEqual(shown);
  });

  it('fault H3: tells what it has masked, for whatever else would show it', () => {
    expect(maskArgs(['--token', 'abc', 'PASS=x=y']).secrets).toEqual(['abc', 'x=y']);
  });
});

describe('a private key', () => {
  it('fault H3: is masked to its end', () => {
    const { args } = maskArgs(['a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END']);
    expect(args).toEqual(['a [redacted]']);
  });
});
