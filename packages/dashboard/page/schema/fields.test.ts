import { expect, it } from 'vitest';

import { formOf, type Field } from './fields.js';

function fieldsOf(schema: object): readonly Field[] {
  const form = formOf(schema as Record<string, unknown>);
  return form.kind === 'group' ? form.fields : [form];
}

function only(property: object, more: object = {}): Field | undefined {
  return fieldsOf({ type: 'object', properties: { a: property }, ...more })[0];
}

/** The shapes that elicitation allows in 2025-11-25 and 2026-07-28. */
it.each([
  [
    { type: 'string', format: 'email', maxLength: 9 },
    { kind: 'text', format: 'email', maxLength: 9 },
  ],
  [
    { type: 'string', format: 'date-time' },
    { kind: 'text', format: 'date-time' },
  ],
  [
    { type: 'string', pattern: '^a' },
    { kind: 'text', pattern: '^a' },
  ],
  [
    { type: 'number', minimum: 1, maximum: 2 },
    { kind: 'number', isInteger: false, minimum: 1, maximum: 2 },
  ],
  [
    { type: 'integer', default: 3 },
    { kind: 'number', isInteger: true, preset: 3 },
  ],
  [
    { type: 'boolean', default: false },
    { kind: 'boolean', preset: false },
  ],
  [
    { type: 'string', enum: ['x'] },
    { kind: 'choice', options: [{ value: 'x', title: 'x' }] },
  ],
  [
    { type: 'string', enum: ['x'], enumNames: ['X'] },
    { kind: 'choice', options: [{ value: 'x', title: 'X' }] },
  ],
  [
    { type: 'string', oneOf: [{ const: 'x', title: 'X' }] },
    { kind: 'choice', options: [{ value: 'x', title: 'X' }] },
  ],
  [
    { type: 'string', oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }] },
    {
      kind: 'choice',
      options: [
        { value: 'x', title: 'X' },
        { value: 'y', title: 'y' },
      ],
    },
  ],
  [
    { type: 'array', items: { type: 'string', enum: ['x'] }, minItems: 1 },
    { kind: 'choices', options: [{ value: 'x', title: 'x' }], minItems: 1 },
  ],
  [
    { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }, { const: 'y' }] } },
    { kind: 'choices', options: [{ title: 'X' }, { title: 'y' }] },
  ],
])('the schema %j of elicitation has a control of its own', (schema, field) => {
  expect(only(schema)).toMatchObject(field);
});

it.each([
  [
    { type: 'array', items: { type: 'integer' } },
    { kind: 'list', item: { kind: 'number', isInteger: true } },
  ],
  [
    { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'A' },
    { kind: 'text', title: 'A', isNullable: true },
  ],
  [{ type: ['number', 'null'] }, { kind: 'number', isNullable: true }],
  [{ $ref: '#/$defs/b' }, { kind: 'boolean' }],
  [{ $ref: '#/$defs/self' }, { kind: 'json' }],
  [{ $ref: '#/$defs/absent' }, { kind: 'json' }],
  [{ $ref: '#/__proto__' }, { kind: 'json' }],
  [
    { allOf: [{ $ref: '#/$defs/b' }], description: 'd' },
    { kind: 'boolean', description: 'd' },
  ],
  [{ const: 7 }, { kind: 'choice', options: [{ value: 7, title: '7' }] }],
  [{ properties: { b: { type: 'string' } } }, { kind: 'group', fields: [{ name: 'b', kind: 'text' }] }],
  [{ type: 'object' }, { kind: 'json', type: 'object' }],
  [
    { type: 'array', items: { type: 'object' } },
    { kind: 'json', type: 'array' },
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { kind: 'json' }],
  [{}, { kind: 'json' }],
  [7 as unknown as object, { kind: 'json' }],
])('the schema %j has a control', (schema, field) => {
  const $defs = { b: { type: 'boolean' }, self: { $ref: '#/$defs/self' } };
  expect(only(schema, { $defs })).toMatchObject(field);
});

it('objects in objects are groups to the third depth, and JSON below', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { in: nested(depth - 1) } };
  const kinds: string[] = [];
  for (let field = formOf(nested(5) as Record<string, unknown>); ;) {
    kinds.push(field.kind);
    const [inner] = field.kind === 'group' ? field.fields : [];
    if (inner === undefined) break;
    field = inner;
  }
  expect(kinds).toEqual(['group', 'group', 'group', 'json']);
});

it.each([
  { type: 'object', properties: {} },
  { type: 'object', additionalProperties: false },
  { type: 'object', properties: {}, additionalProperties: false },
])('the schema %j takes no arguments', (schema) => {
  expect(formOf(schema)).toMatchObject({ kind: 'group', fields: [] });
});

it.each([
  {},
  { type: 'object' },
  { type: 'object', additionalProperties: true },
  { type: 'object', properties: {}, additionalProperties: true },
  { type: 'object', additionalProperties: { type: 'string' } },
  { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }], properties: {} },
])('the schema %j takes any arguments as JSON, and none if the field is empty', (schema) => {
  expect(formOf(schema)).toMatchObject({ kind: 'json', type: 'object', isRequired: false });
});

it('a schema without properties that requires some needs its JSON', () => {
  expect(formOf({ type: 'object', required: ['a'] })).toMatchObject({ kind: 'json', isRequired: true });
});

it.each([
  { additionalProperties: true },
  { additionalProperties: { type: 'string' } },
  { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { oneOf: [{ properties: { b: {} } }, { properties: { c: {} } }] },
  { allOf: [{ properties: { b: {} } }] },
  { patternProperties: { '^b': {} } },
])('a schema with properties and %j has a field for each, and JSON for the rest', (more) => {
  const fields = fieldsOf({ type: 'object', properties: { a: { type: 'string' } }, ...more });
  expect(fields).toMatchObject([
    { name: 'a', kind: 'text' },
    { kind: 'json', isRest: true },
  ]);
});

it('the required properties are marked', () => {
  const fields = fieldsOf({ properties: { a: {}, b: {} }, required: ['b', 7] });
  expect(fields.map(({ isRequired }) => isRequired)).toEqual([false, true]);
});
