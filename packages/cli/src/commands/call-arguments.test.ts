import { expect, it } from 'vitest';

import { parseCallArguments } from './call-arguments.js';

const SCHEMA = {
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    on: { type: 'boolean' },
    list: { type: 'array' },
    object: { type: 'object' },
    any: {},
  },
};

it.each<[word: string, value: unknown]>([
  ['text=5', '5'],
  ['text=', ''],
  ['text=a=b', 'a=b'],
  ['text=two\nlines', 'two\nlines'],
  ['count=5', 5],
  ['count=-1', -1],
  ['on=true', true],
  ['on=false', false],
  ['list=a,b', ['a', 'b']],
  ['list=[1,2]', [1, 2]],
  ['object={"a":1}', { a: 1 }],
  ['any=5', 5],
  ['any=five', 'five'],
  ['any=null', null],
  ['text:=5', 5],
  ['text:={"raw":[1]}', { raw: [1] }],
])('%j becomes what its schema says', (word, value) => {
  const [key = ''] = word.split(/:?=/, 1);
  expect(parseCallArguments([word], SCHEMA)).toEqual({ [key]: value });
});

it.each([
  ['count=x', '"count" must be a number'],
  ['count=', '"count" must be a number'],
  ['on=yes', 'true or false'],
  ['object=x', 'is not valid JSON'],
  ['text:=x', 'is not valid JSON'],
  ['word', '"word" is no argument'],
  ['=x', 'is no argument'],
  ['cuont=1', 'Did you mean "count"?'],
])('%j is refused with what would be right', (word, message) => {
  expect(() => parseCallArguments([word], SCHEMA)).toThrow(message);
});

it('any name is taken where the schema names none', () => {
  expect(parseCallArguments(['a=1', 'b=x'], undefined)).toEqual({ a: 1, b: 'x' });
});
