import { describe, expect, it } from 'vitest';

import { allowedHosts, allowedOrigins, isLoopback } from './allowed-hosts.js';
import { BearerTokens } from './bearer-tokens.js';

describe('allowedHosts', () => {
  it('on loopback are the names of loopback, with the port', () => {
    const hosts = allowedHosts({ host: '127.0.0.1', port: 8080, extra: [] });
    expect([...hosts]).toEqual(['localhost:8080', '127.0.0.1:8080', '[::1]:8080']);
  });

  it('a name that is allowed is served with the port of the front and without any', () => {
    const hosts = allowedHosts({ host: '10.0.0.1', port: 8080, extra: ['Mux.Example', 'other:443'] });
    expect([...hosts]).toEqual(['10.0.0.1:8080', 'mux.example:8080', 'other:443', 'mux.example']);
  });

  it('port 80 is the one that nobody writes', () => {
    expect(allowedHosts({ host: '::1', port: 80, extra: [] }).has('[::1]')).toBe(true);
  });

  it('pages of those hosts are allowed, and those that are named', () => {
    const origins = allowedOrigins(new Set(['localhost:1']), ['https://App.Example']);
    expect([...origins]).toEqual(['http://localhost:1', 'https://localhost:1', 'https://app.example']);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.evil.example', false],
    ['10.0.0.1', false],
  ])('%s is loopback: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe('BearerTokens', () => {
  const tokens = BearerTokens.of(['first-token-of-many', 'second-token-of-many']);

  it.each([
    ['Bearer first-token-of-many', 'token-1'],
    ['bearer second-token-of-many', 'token-2'],
    ['Bearer first-token-of-man', undefined],
    ['Bearer first-token-of-many second-token-of-many', undefined],
    ['first-token-of-many', undefined],
    ['Bearer ', undefined],
    [undefined, undefined],
  ])('I3: the header %o is of %s', (header, principal) => {
    expect('problem' in tokens ? tokens.problem : tokens.principalOf(header)).toBe(principal);
  });

  it('keeps no token', () => {
    expect(JSON.stringify(tokens)).not.toContain('token-of-many');
  });

  it.each([
    [[], 'no token'],
    [['short'], 'fewer than 16'],
    [['a token with spaces in it'], 'a character'],
  ])('refuses %j', (given, problem) => {
    expect(BearerTokens.of(given)).toMatchObject({ problem: expect.stringContaining(problem) as string });
  });
});
