import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { allowedHosts, allowedOrigins, isLoopback } from './allowed-hosts.js';
import { BearerTokens } from '../auth/bearer-tokens.js';
import { FailedAttempts, networkOf } from '../auth/failed-attempts.js';

describe('allowedHosts', () => {
  it('on loopback are the names of loopback, with the port', () => {
    const hosts = allowedHosts({ host: '127.0.0.1', port: 8080, extraHosts: [] });
    expect([...hosts]).toEqual(['localhost:8080', '127.0.0.1:8080', '[::1]:8080']);
  });

  it('a name that is allowed is served with the port of the front and without any', () => {
    const hosts = allowedHosts({ host: '10.0.0.1', port: 8080, extraHosts: ['Mux.Example', 'other:443'] });
    expect([...hosts]).toEqual(['10.0.0.1:8080', 'mux.example:8080', 'other:443', 'mux.example']);
  });

  it('port 80 is the one that nobody writes', () => {
    expect(allowedHosts({ host: '::1', port: 80, extraHosts: [] }).has('[::1]')).toBe(true);
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
    expect('problem' in tokens ? tokens.problem : tokens.principalOf(header)?.id).toBe(principal);
  });

  it('keeps no token', () => {
    expect(JSON.stringify(tokens)).not.toContain('token-of-many');
  });

  it.each([
    [[], 'no token'],
    [['short'], 'fewer than 16'],
    [['a token with spaces in it'], 'a character'],
  ])('refuses %j', (given, problem) => {
    expect(BearerTokens.of(given)).toMatchObject({
      problem: expect.stringContaining(problem) as string,
    });
  });

  it('A6: a token of the config is known by its hash, with its principal, roles and rights', () => {
    const hash = `sha256:${createHash('sha256').update('a-token-of-the-config').digest('hex')}`;
    const known = BearerTokens.hashed([{ hash, principal: 'ann', roles: ['dev'], rights: ['manage'] }]);
    const ann = { id: 'ann', roles: ['dev'], rights: ['manage'] };
    expect(known.principalOf('Bearer a-token-of-the-config')).toEqual(ann);
    expect(known.principalOf(`Bearer ${hash}`)).toBeUndefined();
    expect(known.principalOf('Bearer ')).toBeUndefined();
  });
});

describe('FailedAttempts', () => {
  it('I20: whoever has guessed too often has to wait, and others have not', () => {
    const clock = { now: 0 };
    const attempts = new FailedAttempts(() => clock.now);
    const waits = Array.from({ length: 31 }, () => attempts.recordAttempt('10.0.0.1'));
    expect(waits.filter((seconds) => seconds > 0)).toEqual([2]);
    expect(attempts.recordAttempt('10.0.0.2')).toBe(0);
    clock.now += 2000;
    expect(attempts.recordAttempt('10.0.0.1')).toBe(0);
  });

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('I19: %s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
