import fc from 'fast-check';
import { HOST } from '../../guards/principal.js';
import { describe, expect, it } from 'vitest';

import { ALLOW_ALL, decideAdd, policyFor, type AllowedCommand } from './add-policy.js';

const LISTED: AllowedCommand = { command: 'npx', args: ['-y', 'good'], env: ['TOKEN'] };
const list = (...commands: readonly AllowedCommand[]) => ({ mode: 'allowlist', commands }) as const;

describe('the policy for add_server', () => {
  it('E11: allows everything by default, and names the rule', () => {
    expect(decideAdd(ALLOW_ALL, { command: 'sh', args: ['-c', 'x'] })).toEqual({
      kind: 'allow',
      rule: 'allow',
    });
  });

  it('E11: deny refuses everything', () => {
    expect(decideAdd({ mode: 'deny' }, { command: 'x' })).toMatchObject({
      kind: 'refuse',
      rule: 'deny',
    });
  });

  it('E11: ask asks, but for what is in the list', () => {
    expect(decideAdd({ mode: 'ask', commands: [LISTED] }, { command: 'x' })).toEqual({
      kind: 'ask',
      rule: 'ask',
    });
    expect(decideAdd({ mode: 'ask', commands: [LISTED] }, { command: 'npx', args: ['-y', 'good'] })).toEqual({
      kind: 'allow',
      rule: 'allowlist entry 1',
    });
  });

  it('E11: an allowlist allows a whole command, and nothing that differs in one argument', () => {
    const args = fc.array(fc.constantFrom('-y', 'good', 'evil', ''), { maxLength: 4 });
    fc.assert(
      fc.property(args, args, fc.boolean(), (wanted, asked, moreArgs) => {
        const { kind } = decideAdd(list({ command: 'npx', args: wanted, moreArgs }), {
          command: 'npx',
          args: asked,
        });
        const compared = moreArgs ? asked.slice(0, wanted.length) : asked;
        const isSame = JSON.stringify(compared) === JSON.stringify(wanted);
        expect(kind).toBe(isSame ? 'allow' : 'refuse');
      }),
    );
  });

  it.each([
    [{ command: 'npx', args: ['-y', 'evil'] }, 'not in the list'],
    [{ command: '/tmp/npx', args: ['-y', 'good'] }, 'not in the list'],
    [{ command: 'npx', args: ['-y', 'good', 'x'] }, 'not in the list'],
    [
      { command: 'npx', args: ['-y', 'good'], env: { TOKEN: 't', NODE_OPTIONS: '-r x' } },
      'variables NODE_OPTIONS',
    ],
    [{ command: 'npx', args: ['-y', 'good'], cwd: '/tmp' }, 'without a cwd'],
  ])('E11: an allowlist refuses %j and says why', (config, reason) => {
    expect(decideAdd(list({ command: 'other' }, LISTED), config)).toEqual({
      kind: 'refuse',
      rule: 'allowlist',
      reason: expect.stringContaining(reason) as string,
    });
  });

  it('E11: an entry with a cwd allows that one only', () => {
    const policy = list({ command: 'npx', cwd: '/work' });
    expect(decideAdd(policy, { command: 'npx', cwd: '/work' }).kind).toBe('allow');
    expect(decideAdd(policy, { command: 'npx' })).toMatchObject({
      reason: expect.stringContaining('"/work"') as string,
    });
  });
});

const clientWith = (...rights: readonly string[]) => ({
  principal: { id: 'ann', roles: [], rights },
  isStdio: false,
});

it('a mux without a policy lets clients on stdio and its host add servers, and nobody else', () => {
  const local = { id: 'local', roles: [], rights: [] };
  expect(policyFor(undefined, { principal: local, isStdio: true })).toEqual({ mode: 'allow' });
  expect(policyFor(undefined, { principal: HOST, isStdio: false })).toEqual({ mode: 'allow' });
  expect(policyFor(undefined, { principal: local, isStdio: false })).toEqual({ mode: 'deny' });
  expect(policyFor(undefined, clientWith('manage'))).toEqual({ mode: 'allow' });
});

it('A12: where nobody may add servers, whoever has the right to manage may', () => {
  expect(policyFor({ mode: 'deny' }, clientWith('manage'))).toEqual({ mode: 'allow' });
  expect(policyFor({ mode: 'deny' }, clientWith('other'))).toEqual({ mode: 'deny' });
  expect(policyFor({ mode: 'ask' }, clientWith('manage'))).toEqual({ mode: 'ask' });
});
