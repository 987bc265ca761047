import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withWrappedOutput } from './wrapped-output.js';

function wrap(outputSchema: string): unknown {
  const wrapped = withWrappedOutput(
    Buffer.from(`{"name":"x","outputSchema":${outputSchema},"inputSchema":{}}`),
  );
  if (wrapped === undefined) return undefined;
  const { outputSchema: schema } = JSON.parse(wrapped.toString()) as { outputSchema: unknown };
  return schema;
}

function inResult(schema: unknown, further: object = {}): object {
  return { ...further, type: 'object', properties: { result: schema }, required: ['result'] };
}

describe('the output of a tool for clients of the legacy era', () => {
  it.each(['{"type":"object"}', '{"properties":{},"type":"object","$defs":{}}'])(
    'stays as it is when it is an object: %s',
    (schema) => {
      expect(wrap(schema)).toBeUndefined();
    },
  );

  it('stays as it is when nothing is said of it', () => {
    expect(withWrappedOutput(Buffer.from('{"name":"x"}'))).toBeUndefined();
  });

  it.each([
    ['{"type":"array","items":{"type":"string"}}', { type: 'array', items: { type: 'string' } }],
    ['{"type":["object","null"]}', { type: ['object', 'null'] }],
    ['{"anyOf":[{"type":"object"},{"type":"array"}]}', { anyOf: [{ type: 'object' }, { type: 'array' }] }],
    ['true', {}],
  ])('is a member of an object otherwise: %s', (schema, expected) => {
    expect(wrap(schema)).toEqual(inResult(expected));
  });

  it('refers to itself at its new place', () => {
    const schema =
      '{"type":"array","items":{"anyOf":[{"$ref":"#"},{"$ref":"#/$defs/a"},{"$ref":"#name"},{"$ref":"other#/a"}]},' +
      '"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"const":{"$ref":"#/no"},"properties":{"const":{"$ref":"#/$defs/a"}}}}}';
    expect(wrap(schema)).toEqual(
      inResult({
        type: 'array',
        items: {
          anyOf: [
            { $ref: '#/properties/result' },
            { $ref: '#/properties/result/$defs/a' },
            { $ref: '#name' },
            { $ref: 'other#/a' },
          ],
        },
        $defs: {
          a: { $ref: '#/properties/result/$defs/b' },
          b: {
            const: { $ref: '#/no' },
            properties: { const: { $ref: '#/properties/result/$defs/a' } },
          },
        },
      }),
    );
  });

  it('keeps references that are relative to an id', () => {
    const schema = '{"$id":"https://a.example/s","type":"array","items":{"$ref":"#/$defs/a"}}';
    expect(wrap(schema)).toEqual(inResult(JSON.parse(schema)));
  });

  it('names its dialect at the root', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(wrap(`{"$schema":"${$schema}","type":"array"}`)).toEqual(
      inResult({ $schema, type: 'array' }, { $schema }),
    );
  });

  it('is any schema byte for byte but for its references, and the tool is the same', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const definition = `{"x-n":1.0,"outputSchema":{"type":"array","default":${json}},"name":"x"}`;
        const wrapped = withWrappedOutput(Buffer.from(definition))?.toString() ?? '';
        expect(wrapped).toBe(
          `{"x-n":1.0,"outputSchema":{"type":"object","properties":{"result":{"type":"array","default":${json}}},"required":["result"]},"name":"x"}`,
        );
      }),
    );
  });
});
