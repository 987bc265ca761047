import fc from 'fast-check';
import { expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { guardContext, type GuardContextInit } from '../testing/guard-context.js';
import { ApprovalRules, type ApprovalRule } from './approval-rules.js';
import { textMatcher } from './targets.js';

/** True if a call is asked about by these rules. */
function asks(rules: readonly ApprovalRule[], init: GuardContextInit, args?: string): boolean {
  const context = guardContext({ server: 's', tool: 't', ...init });
  return new ApprovalRules(rules).needsApproval(context, () =>
    args === undefined ? undefined : Buffer.from(args),
  );
}

const annotated = (annotations?: object): GuardContextInit => ({ definition: { name: 't', annotations } });

it.each([
  [annotated({ readOnlyHint: true }), false, false],
  [annotated({ readOnlyHint: false }), true, true],
  [annotated({ destructiveHint: false }), false, true],
  [annotated({ destructiveHint: true }), true, true],
  [annotated({ readOnlyHint: true, destructiveHint: true }), false, false],
  [annotated({ readOnlyHint: 'true' }), true, true],
  [annotated({}), true, true],
  [annotated(), true, true],
  [{}, true, true],
])('E12: hints of %j match destructive: %s, not-read-only: %s', (init, isDestructive, isNotReadOnly) => {
  expect([asks([{ hint: 'destructive' }], init), asks([{ hint: 'not-read-only' }], init)]).toEqual([
    isDestructive,
    isNotReadOnly,
  ]);
});

it('E12: the first rule that matches decides, and without one nothing is asked', () => {
  const rules = [{ tools: ['get_*'], ask: false }, { servers: ['s'] }];
  expect(asks(rules, { tool: 'get_x' })).toBe(false);
  expect(asks(rules, { tool: 'put_x' })).toBe(true);
  expect(asks(rules, { server: 'other' })).toBe(false);
});

it('E12: a rule for servers of agents matches no other server', () => {
  expect(asks([{ addedBy: 'agent' }], { isServerOfAgent: true })).toBe(true);
  expect(asks([{ addedBy: 'agent' }], {})).toBe(false);
});

const PATH = { path: ['/etc/*'] };

it.each([
  ['{"path":"/etc/x"}', true],
  [String.raw`{"p\u0061th":"/etc/x"}`, true],
  [String.raw`{"path":"/etc/\n/x"}`, true],
  ['{"path":"/tmp/x"}', false],
  ['{"other":"/etc/x"}', false],
  ['{"path":"/tmp/x","path":"/etc/x"}', true],
  ['{"path":"/etc/x","path":"/tmp/x"}', true],
  ['{}', false],
  ['[]', true],
  ['"text"', true],
  [undefined, false],
])('E12: a rule that asks about a path asks about %s: %s', (args, expected) => {
  expect(asks([{ arguments: PATH }], {}, args)).toBe(expected);
});

it.each([
  ['{"path":"/etc/x"}', false],
  ['{"path":"/tmp/x"}', true],
  ['{"path":"/etc/x","path":"/tmp/x"}', true],
  ['[]', true],
  [undefined, true],
])('E12: a rule that exempts a path leaves %s asked about: %s', (args, expected) => {
  expect(asks([{ arguments: PATH, ask: false }, {}], {}, args)).toBe(expected);
});

it('E12: values that are no strings are matched as their JSON text, and all arguments of a rule must match', () => {
  const rule = { arguments: { force: ['true'], count: ['10'] } };
  expect(asks([rule], {}, '{ "force" : true , "count" : 1e1 }')).toBe(true);
  expect(asks([rule], {}, '{"force":true,"count":11}')).toBe(false);
  expect(asks([{ arguments: { to: ['*"a":1*'] } }], {}, '{"to": { "a" : 1 } }')).toBe(true);
});

it('E12: a pattern of an argument matches as a regular expression does in which only * is special', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '[', '{', '\n', '.'), maxLength: 8 });
  fc.assert(
    fc.property(piece, piece, (pattern, text) => {
      const parts = pattern.split('*').map((part) => part.replaceAll(/[?[{.]/g, String.raw`\$&`));
      expect(textMatcher([pattern])(text)).toBe(new RegExp(`^${parts.join('.*')}$`, 's').test(text));
    }),
    propertyRuns(5000),
  );
});

it('E12: long arguments take no longer than their length', { timeout: 5000 }, () => {
  const path = 'ab'.repeat(1_000_000);
  expect(asks([{ arguments: { path: ['*a*b*a*c', '*b*c*b*'] } }], {}, JSON.stringify({ path }))).toBe(false);
  expect(asks([{ arguments: PATH }], {}, `{${'"path":1,'.repeat(200_000)}"path":"/etc/x"}`)).toBe(true);
});
