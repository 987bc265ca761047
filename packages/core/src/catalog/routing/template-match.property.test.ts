import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { literalLength, mayMatchTemplate } from './route-resource.js';

const literal = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '{', '}', '\n'), maxLength: 4 });
const expression = fc.constantFrom('{x}', '{+x}', '{?a,b}', '{}');
const template = fc.array(fc.oneof(literal, expression), { maxLength: 6 }).map((parts) => parts.join(''));
const uri = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '{', '}', '\n'), maxLength: 10 });

/** The pattern that a template is, when every expression stands for any text. */
function patternOf(text: string): RegExp {
  const literals = text.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[.{}/]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}

describe('a template', () => {
  it('S1: fits exactly the texts that its pattern fits', () => {
    fc.assert(
      fc.property(template, uri, (text, candidate) => {
        expect(mayMatchTemplate(text, candidate)).toBe(patternOf(text).test(candidate));
      }),
      propertyRuns(750),
    );
  });

  it.each([
    ['{x}a{y}a', 'a', false],
    ['{x}a{y}a', 'aa', true],
    ['a{x}a', 'a', false],
    ['a{x}ab{y}b', 'aabb', true],
    ['a{x}ab{y}b', 'aab', false],
  ])('S1: never takes one character twice: %s and %s', (text, candidate, fits) => {
    expect(mayMatchTemplate(text, candidate)).toBe(fits);
    expect(patternOf(text).test(candidate)).toBe(fits);
  });

  it('S1: fits whatever it produces', () => {
    fc.assert(
      fc.property(template, fc.array(uri, { minLength: 6, maxLength: 6 }), (text, values) => {
        const rest = [...values];
        const produced = text.replaceAll(/\{[^{}]*\}/g, () => rest.shift() ?? '');
        expect(mayMatchTemplate(text, produced)).toBe(true);
      }),
      propertyRuns(250),
    );
  });

  it('says as much as it has characters outside of its expressions', () => {
    fc.assert(
      fc.property(template, (text) => {
        expect(literalLength(text)).toBe(text.replaceAll(/\{[^{}]*\}/g, '').length);
      }),
    );
  });

  it.each([
    ['of thousands of expressions', '{x}a'.repeat(20_000), 'a'.repeat(40_000)],
    ['whose end is missing', `${'{x}a'.repeat(10_000)}{x}b`, 'a'.repeat(100_000)],
    ['of open braces', '{'.repeat(200_000), 'a'.repeat(200_000)],
    ['of one literal that nearly fits', `{x}${'a'.repeat(10_000)}b{y}`, 'a'.repeat(100_000)],
  ])('%s is compared in no time that a client notices', (_, text, candidate) => {
    const before = performance.now();
    mayMatchTemplate(text, candidate);
    expect(performance.now() - before).toBeLessThan(15_000);
  });
});
