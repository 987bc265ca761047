import { describe, expect, it } from 'vitest';

import { guardContext } from '../testing/guard-context.js';
import { accessControl, type AccessOptions } from './access-control.js';
import { resultAnswer } from './answers.js';
import { HOST, LOCAL } from './principal.js';

const ann = { id: 'ann', roles: ['dev', 'ops'], rights: [] };
const bob = { id: 'bob', roles: [], rights: [] };

function shows(
  options: AccessOptions,
  ...item: Parameters<NonNullable<ReturnType<typeof accessControl>['shows']>>
) {
  return accessControl(options).shows?.(...item);
}

describe('accessControl', () => {
  it.each([
    ['nobody, where no rule fits', {}, ann, false],
    ['everybody, where a rule names nobody', { servers: ['git'] }, bob, true],
    ['whoever has one of the roles', { roles: ['o*'] }, ann, true],
    ['nobody without a role of these', { roles: ['o*'] }, bob, false],
    ['whoever is named', { principals: ['b?b'] }, bob, true],
    ['nobody else', { principals: ['b?b'] }, ann, false],
    ['nobody at other servers', { servers: ['{docs,git-*}'] }, ann, false],
    ['nobody with other tools', { tools: ['put_*'] }, ann, false],
    ['whoever matches all of it', { roles: ['dev'], servers: ['g*'], tools: ['get_*'] }, ann, true],
  ])('A12: lets in %s', (_, rule, principal, expected) => {
    const rules = Object.keys(rule).length === 0 ? [] : [rule];
    expect(shows({ rules }, principal, 'git', 'get_file')).toBe(expected);
  });

  it('A12: the first rule that fits counts', () => {
    const rules = [{ tools: ['*_secret'], allow: false }, { servers: ['git'] }];
    expect(shows({ rules }, ann, 'git', 'get_secret')).toBe(false);
    expect(shows({ rules }, ann, 'git', 'get_file')).toBe(true);
    expect(shows({ rules: rules.toReversed() }, ann, 'git', 'get_secret')).toBe(true);
    expect(shows({ rules: [], otherwise: 'allow' }, ann, 'git', 'get_file')).toBe(true);
  });

  it('A12: a rule about tools opens no prompts and resources, and closes none', () => {
    expect(shows({ rules: [{ servers: ['git'], tools: ['*'] }] }, ann, 'git')).toBe(false);
    expect(shows({ rules: [{ tools: ['*'], allow: false }, {}] }, ann, 'git')).toBe(true);
  });

  it.each([
    [
      'a tool',
      { server: 'git', tool: 'get' },
      'Tool "get" of server "git" is not permitted for "local". Nothing was called.',
    ],
    ['a resource', { method: 'resources/read', server: 'git' }, 'Server "git" is not permitted for "local"'],
  ])('A12: the refusal of %s says what is closed to whom', (_, init, message) => {
    const { handle } = accessControl({ rules: [] });
    expect(() => handle?.(guardContext(init), () => Promise.reject(new Error('called')))).toThrow(message);
  });

  it('the host itself is never shut out, and what is about no server passes', async () => {
    const { handle } = accessControl({ rules: [] });
    const ok = resultAnswer(Buffer.from('{}'));
    const next = () => Promise.resolve(ok);
    expect(await handle?.(guardContext({ principal: HOST, server: 'git', tool: 'get' }), next)).toBe(ok);
    expect(await handle?.(guardContext({ principal: LOCAL, method: 'tools/list' }), next)).toBe(ok);
  });
});
