import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { DEFAULT_NAME_BUDGET, fitName, MIN_NAME_BUDGET, type FitOptions } from './fitted-name.js';
import { qualify, splitQualifiedName } from './qualified-name.js';
import { parseServerName } from './server-name.js';
import { serverName, wellFormedText } from './testing/arbitrary-names.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function fit(server: string, local: string, options: Partial<FitOptions> = {}): string {
  return fitName(qualify(parseServerName(server), local), {
    maxLength: DEFAULT_NAME_BUDGET,
    digest: sha256,
    ...options,
  });
}

const anyName = fc.tuple(serverName, wellFormedText).map(([server, local]) => qualify(server, local));
const anyBudget = fc.integer({ min: MIN_NAME_BUDGET, max: 128 });

describe('fitName', () => {
  it('leaves a name alone that clients accept', () => {
    expect(fit('github', 'create_issue')).toBe('github__create_issue');
    expect(fit('a', 'b__c-D_9_')).toBe('a__b__c-D_9_');
    expect(fit('a', '')).toBe('a__');
    expect(fit('a', 'x'.repeat(48))).toBe(`a__${'x'.repeat(48)}`);
  });

  it.each([
    ['Unicode in the server name', '日本語', 'search', 's__search_HASH'],
    ['Unicode in the local name', 'files', 'ツール', 'files__HASH'],
    ['a part of each', 'my server', 'a.b/c', 'my_server__a_b_c_HASH'],
    ['underscores left at the ends', '«a»', '.b.', 'a__b_HASH'],
    ['underscores left side by side', 'a_.b', 'c..d', 'a_b__c_d_HASH'],
    ['an empty local name', 'a b', '', 'a_b__HASH'],
  ])('replaces %s and adds a hash', (_, server, local, expected) => {
    const hash = sha256(`${server}__${local}`).slice(0, 8);
    expect(fit(server, local)).toBe(expected.replace('HASH', hash));
  });

  it('never changes the name it once gave', () => {
    expect(fit('日本語', 'ツール')).toBe('s__29b0c647');
    expect(fit('my server', 'create issue')).toBe('my_server__create_issue_223a7f1e');
  });

  it('cuts the longer part first and keeps half the room for the server', () => {
    const room = DEFAULT_NAME_BUDGET - '__'.length - '_'.length - 8;
    expect(fit('a'.repeat(60), 'bb')).toMatch(new RegExp(`^a{${room - 2}}__bb_[0-9a-f]{8}$`));
    expect(fit('aa', 'b'.repeat(60))).toMatch(new RegExp(`^aa__b{${room - 2}}_[0-9a-f]{8}$`));
    expect(fit('a'.repeat(60), 'b'.repeat(60))).toMatch(/^a{20}__b{20}_[0-9a-f]{8}$/);
  });

  it('leaves no underscore where a part is cut', () => {
    const name = fit(`${'a'.repeat(19)}_${'c'.repeat(9)}`, `${'b'.repeat(20)}_${'d'.repeat(9)}`);
    expect(name).toMatch(/^a{19}__b{20}_[0-9a-f]{8}$/);
  });

  it('hashes the attempt with the name, so a caller can resolve a collision', () => {
    const names = [0, 1, 2].map((attempt) => fit('my server', 'tool', { attempt }));
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toBe(fit('my server', 'tool'));
    expect(names[1]).toBe(`my_server__tool_${sha256('my server__tool#1').slice(0, 8)}`);
  });

  it('leaves a name that fits alone at every attempt', () => {
    expect(fit('a', 'b', { attempt: 3 })).toBe('a__b');
  });

  it('refuses a budget too small for a readable name', () => {
    expect(() => fit('a', 'b', { maxLength: 15 })).toThrow(RangeError);
    expect(() => fit('a', 'b', { maxLength: Number.NaN })).toThrow(RangeError);
    expect(fit('abcdefgh', 'ijklmnopq', { maxLength: 16 })).toMatch(/^ab__ijk_[0-9a-f]{8}$/);
  });

  it('has a default budget that leaves room for the prefix of a client', () => {
    expect(DEFAULT_NAME_BUDGET).toBe(51);
  });

  it('D18: gives a name within the budget, of accepted characters, that holds __', () => {
    fc.assert(
      fc.property(anyName, anyBudget, (name, maxLength) => {
        const fitted = fitName(name, { maxLength, digest: sha256 });
        expect(fitted.length).toBeLessThanOrEqual(maxLength);
        expect(fitted).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(splitQualifiedName(fitted)).toBeDefined();
      }),
      propertyRuns(250),
    );
  });

  it('gives the same name for the same input, and is its own fixed point', () => {
    fc.assert(
      fc.property(anyName, anyBudget, (name, maxLength) => {
        const options = { maxLength, digest: sha256 };
        const fitted = fitName(name, options);
        expect(fitName(name, options)).toBe(fitted);
        const parts = splitQualifiedName(fitted);
        expect(parts && fitName(qualify(parts.server, parts.local), options)).toBe(fitted);
      }),
    );
  });

  it('gives distinct names for distinct inputs', () => {
    fc.assert(
      fc.property(anyName, anyName, anyBudget, (one, other, maxLength) => {
        fc.pre(one !== other);
        const options = { maxLength, digest: sha256 };
        expect(fitName(one, options)).not.toBe(fitName(other, options));
      }),
      propertyRuns(250),
    );
  });
});
