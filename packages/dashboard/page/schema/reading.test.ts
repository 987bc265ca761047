import { expect, it } from 'vitest';

import { formOf } from './fields.js';
import { readForm } from './reading.js';
import { initialTyped, type Typed } from './typed.js';

/** What a form of one property reads when it contains this; without it, when nobody has touched the form. */
function read(property: object, typed?: Typed, isRequired = false) {
  const form = formOf({ properties: { a: property }, ...(isRequired && { required: ['a'] }) });
  const { value, faults } = readForm(form, typed === undefined ? initialTyped(form) : [typed]);
  return { value, faults: [...faults] };
}

it.each([
  [{ type: 'string' }, undefined, {}],
  [{ type: 'string', default: 'x' }, undefined, { a: 'x' }],
  [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00', { a: '2026-01-31T12:00:00Z' }],
  [
    { type: 'string', format: 'date-time', default: '2026-01-31T14:00:00+02:00' },
    undefined,
    { a: '2026-01-31T12:00:00Z' },
  ],
  [{ type: 'integer' }, '42', { a: 42 }],
  [{ type: 'number', multipleOf: 0.1 }, '0.3', { a: 0.3 }],
  [{ type: 'boolean' }, undefined, {}],
  [{ type: 'boolean' }, 'false', { a: false }],
  [{ enum: [1, '1', null] }, '1', { a: '1' }],
  [{ enum: [1, '1', null] }, '2', { a: null }],
  [{ type: 'array', items: { enum: ['x', 'y'] } }, ['1', '0'], { a: ['x', 'y'] }],
  [{ type: 'array', items: { enum: ['x', 'y'] }, default: ['x'] }, [], { a: [] }],
  [{ type: 'array', items: { type: 'number' } }, ['1', '2'], { a: [1, 2] }],
  [{ type: 'array', items: { type: 'string' } }, [], {}],
  [{ type: 'object', properties: { b: { type: 'string' } } }, undefined, {}],
  [{ type: 'object', properties: { b: { type: 'string', default: 'x' } }, required: ['b'] }, undefined, {}],
  [{ type: 'object', properties: { b: { type: 'string' } } }, ['x'], { a: { b: 'x' } }],
  [{}, '{"any":1}', { a: { any: 1 } }],
])('an optional property of the schema %j that contains %j is read as %j', (schema, typed, value) => {
  expect(read(schema, typed)).toEqual({ value, faults: [] });
});

it.each([
  [{ type: 'boolean' }, { a: false }],
  [{ type: ['string', 'null'] }, { a: null }],
  [{ type: 'array', items: { type: 'string' } }, { a: [] }],
  [{ type: 'object', properties: { b: { type: 'string' } } }, { a: {} }],
])('a required property of the schema %j that nobody has touched is read as %j', (schema, value) => {
  expect(read(schema, undefined, true)).toEqual({ value, faults: [] });
});

it.each([
  [{ type: 'string' }, '', 'Fill in this field'],
  [{ enum: ['x'] }, '', 'Fill in this field'],
  [{ type: 'string', minLength: 3 }, 'ab', 'At least 3 characters'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'At most 1 characters'],
  [{ type: 'string', pattern: '^b' }, 'ab', 'pattern ^b'],
  [{ type: 'string', format: 'email' }, 'ab', 'name@example.com'],
  [{ type: 'string', format: 'uri' }, 'ab', 'https://'],
  [{ type: 'string', format: 'date' }, 'ab', '2026-01-31'],
  [{ type: 'string', format: 'date-time' }, 'ab', '2026-01-31T12:00'],
  [{ type: 'number' }, 'ab', 'A number is needed'],
  [{ type: 'number' }, '1e999', 'A number is needed'],
  [{ type: 'integer' }, '1.5', 'whole number'],
  [{ type: 'integer' }, '9007199254740993', 'exactly'],
  [{ type: 'number', minimum: 2 }, '1', '2 or more'],
  [{ type: 'number', maximum: 2 }, '3', '2 or less'],
  [{ type: 'number', exclusiveMinimum: 2 }, '2', 'more than 2'],
  [{ type: 'number', exclusiveMaximum: 2 }, '2', 'less than 2'],
  [{ type: 'number', multipleOf: 5 }, '7', 'a multiple of 5'],
  [{ type: 'array', items: { enum: ['x'] }, minItems: 1 }, [], 'At least 1'],
  [{ type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 }, ['0', '1'], 'At most 1'],
  [{}, '{', 'is not JSON'],
  [{ type: 'object' }, '[]', 'JSON object'],
  [{ type: 'array' }, '{}', 'JSON array'],
])('a required property of the schema %j that contains %j has a fault: %s', (schema, typed, fault) => {
  expect(read(schema, typed, true).faults).toEqual([['-0', expect.stringContaining(fault)]]);
});

it('a fault has the place of its field: within groups and within lists', () => {
  const numbers = { type: 'array', items: { type: 'number' } };
  const form = formOf({ properties: { a: { properties: { b: { type: 'string' }, c: numbers } } } });
  const { faults } = readForm(form, [['x', ['1', 'two', '']]]);
  expect([...faults.keys()]).toEqual(['-0-1-1', '-0-1-2']);
});

it('the names of properties are data', () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as object;
  const { value } = readForm(formOf({ properties }), ['x', 'y']);
  expect(JSON.stringify(value)).toBe('{"__proto__":"x","constructor":"y"}');
});

it('the members for which there is no field are read from JSON, and a field goes before a member of its name', () => {
  const form = formOf({ properties: { a: { type: 'string' } }, additionalProperties: true });
  expect(readForm(form, ['x', '{"a":1,"b":2}']).value).toEqual({ a: 'x', b: 2 });
  expect(readForm(form, ['x', '']).value).toEqual({ a: 'x' });
  expect([...readForm(form, ['x', '[1]']).faults.keys()]).toEqual(['-1']);
});

it('the default of an object fills its fields, and the JSON for the rest', () => {
  const more = { additionalProperties: true, default: { a: 'x', b: 2 } };
  const form = formOf({
    properties: { o: { type: 'object', properties: { a: { type: 'string' } }, ...more } },
  });
  expect(readForm(form, initialTyped(form)).value).toEqual({ o: { a: 'x', b: 2 } });
});

it('a form of nothing but JSON that is empty sends no arguments', () => {
  const form = formOf({ type: 'object' });
  expect(readForm(form, initialTyped(form))).toEqual({ value: {}, faults: new Map() });
});
