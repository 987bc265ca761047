import { expect, it } from 'vitest';

import { argumentProblems } from './check-arguments.js';

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    count: { type: 'integer' },
    mode: { enum: ['fast', 'slow'] },
    at: { type: 'object', properties: { line: { type: 'number' } }, required: ['line'] },
  },
  required: ['count'],
  additionalProperties: false,
};

it.each([
  [{ count: 1, mode: 'fast' }, []],
  [{}, ['"count" is missing']],
  [{ count: 'x' }, ['"count": must be of type integer, and is of type string']],
  [{ count: 1, mode: 'q' }, ['"mode": must be one of ["fast","slow"]']],
  [{ count: 1, at: {} }, ['"at.line" is missing']],
  [{ count: 1, other: 2 }, ['"other" is no argument']],
])('%j: %j', (args, problems) => {
  expect(argumentProblems(args, SCHEMA)).toEqual(problems);
});

it('a schema that cannot be read is left to the server', () => {
  expect(argumentProblems({ a: 1 }, { $ref: '#/nowhere' })).toEqual([]);
});
