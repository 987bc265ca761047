import fc from 'fast-check';
import { expect, it } from 'vitest';

import { formOf } from './fields.js';
import { readForm } from './reading.js';
import { typedOf } from './typed.js';

/** A schema with a value of it. */
type Case = readonly [schema: object, value: unknown];

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const integer = fc.maxSafeInteger();
const moment = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('.000Z', 'Z'));
const values = fc.uniqueArray(fc.jsonValue({ maxDepth: 1 }), {
  minLength: 1,
  maxLength: 5,
  selector: (one) => JSON.stringify(one),
});

function scalar(): fc.Arbitrary<Case> {
  return fc.oneof(
    text.map((value): Case => [{ type: 'string' }, value]),
    moment.map((value): Case => [{ type: 'string', format: 'date-time' }, value]),
    number.map((value): Case => [{ type: 'number' }, value]),
    integer.map((value): Case => [{ type: 'integer' }, value]),
    fc.boolean().map((value): Case => [{ type: 'boolean' }, value]),
    values.chain((all) => fc.constantFrom(...all).map((value): Case => [{ enum: all }, value])),
    values.chain((all) =>
      fc.constantFrom(...all).map((value): Case => [{ oneOf: all.map((one) => ({ const: one })) }, value]),
    ),
    fc.jsonValue().map((value): Case => [{}, JSON.parse(JSON.stringify(value))]),
  );
}

function list(): fc.Arbitrary<Case> {
  return fc.oneof(
    fc
      .array(text, { minLength: 1 })
      .map((value): Case => [{ type: 'array', items: { type: 'string' } }, value]),
    fc
      .array(number, { minLength: 1 })
      .map((value): Case => [{ type: 'array', items: { type: 'number' } }, value]),
    values.chain((all) =>
      fc
        .subarray(all, { minLength: 1 })
        .map((value): Case => [{ type: 'array', items: { enum: all } }, value]),
    ),
  );
}

/** An object of which each value is there. An empty object is not there: nobody has touched its fields. */
function object(depth: number): fc.Arbitrary<Case> {
  const inner = depth === 0 ? fc.oneof(scalar(), list()) : fc.oneof(scalar(), list(), object(depth - 1));
  return fc
    .dictionary(fc.string(), inner, { minKeys: 1, maxKeys: 4, noNullPrototype: false })
    .map((cases): Case => {
      const properties = Object.fromEntries(Object.entries(cases).map(([name, [schema]]) => [name, schema]));
      const value = Object.fromEntries(Object.entries(cases).map(([name, [, one]]) => [name, one]));
      return [{ type: 'object', properties }, value];
    });
}

it('a form that contains a value is read as this value', () => {
  fc.assert(
    fc.property(object(3), ([schema, value]) => {
      const form = formOf(schema as Record<string, unknown>);
      const { value: read, faults } = readForm(form, typedOf(form, value));
      expect([...faults]).toEqual([]);
      expect(JSON.stringify(read)).toBe(JSON.stringify(value));
    }),
  );
});

it('a form for any schema is read without an error, whatever it contains', () => {
  const schema = fc.dictionary(
    fc.constantFrom(
      'type',
      'properties',
      'items',
      'enum',
      'oneOf',
      'anyOf',
      '$ref',
      'default',
      'required',
      'const',
      'minItems',
      'pattern',
      'format',
    ),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(schema, fc.jsonValue(), (property, value) => {
      for (const whole of [
        property,
        { properties: { a: property } },
        { properties: { a: { properties: { a: property } } } },
      ]) {
        const form = formOf(whole);
        expect(readForm(form, typedOf(form, value)).value).toBeDefined();
        expect(readForm(form, '').value).toBeDefined();
      }
    }),
  );
});
