import { expect, it } from 'vitest';

import { parametersOf } from './parameters.js';

it('parameters have their types, bounds and defaults, and inner objects follow their object', () => {
  const schema = {
    type: 'object',
    required: ['path'],
    properties: {
      path: { type: 'string', description: 'Where' },
      count: { type: ['integer', 'null'], minimum: 1, default: 5 },
      mode: { enum: ['a', 1] },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      days: { type: 'array', items: { enum: Array.from({ length: 14 }, (_, day) => day) } },
      options: { type: 'object', properties: { deep: { type: 'boolean' } } },
      rest: {},
    },
  };
  expect(parametersOf(schema).map(({ path, type, preset }) => [path, type, preset])).toEqual([
    ['path', 'string', undefined],
    ['count', 'integer, 1 or more or null', '5'],
    ['mode', '"a" | 1', undefined],
    ['tags', 'array of string, 3 or less', undefined],
    ['days', 'array of 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 2 more', undefined],
    ['options', 'object', undefined],
    ['options.deep', 'boolean', undefined],
    ['rest', 'any JSON', undefined],
  ]);
  expect(parametersOf(schema)[0]).toMatchObject({ isRequired: true, description: 'Where' });
});
