import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { interpolate, literalText, type InterpolationSources } from './interpolate.js';

const NO_FILES = (): never => {
  throw new Error('no files');
};

function sources(environment: Readonly<Record<string, string>>): InterpolationSources {
  return { environment, workspaceFolder: '/w', home: '/h', cwd: '/c', readFile: NO_FILES };
}

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/).filter((text) => text !== 'cwd');
const plain = fc.string().filter((text) => !text.includes('$'));

it('replaces a variable by exactly its value, whatever that holds', () => {
  fc.assert(
    fc.property(plain, name, fc.string(), plain, (before, variable, value, after) => {
      const { text, problems } = interpolate(
        `${before}\${${variable}}${after}`,
        sources({ [variable]: value }),
      );
      expect(problems).toEqual([]);
      expect(text).toBe(before + value + after);
    }),
  );
});

it('ends for any text, and leaves one without a dollar sign alone', () => {
  const pieces = fc
    .array(fc.constantFrom('$', '{', '}', ':-', 'a', 'env:', '${', '/'))
    .map((list) => list.join(''));
  fc.assert(
    fc.property(pieces, (text) => {
      const result = interpolate(text, sources({ a: '${a}' }));
      expect(text.includes('$') || (result.text === text && result.problems.length === 0)).toBe(true);
    }),
  );
});

it('gives back any text that was written as a literal one', () => {
  const pieces = fc
    .array(fc.constantFrom('$', '{', '}', ':-', 'a', 'HOME', 'env:', '${', '${HOME}', ' '))
    .map((list) => list.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string(), pieces), (text) => {
      const environment = sources({ HOME: '/h', a: 'b' });
      expect(interpolate(literalText(text), environment)).toEqual({ text, problems: [] });
    }),
    propertyRuns(250),
  );
});
