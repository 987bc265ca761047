import { validateHeaderValue } from 'node:http';

import { describe, expect, it } from 'vitest';
import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { ArgumentSpans } from './argument-spans.js';
import { headersOfCall, parameterHeaders, type ParameterHeaders, headerValue } from './parameter-headers.js';

const REGION = { type: 'string', 'x-mcp-header': 'Region' };

function definition(inputSchema: object): Buffer {
  return Buffer.from(JSON.stringify({ name: 'tool', inputSchema }));
}

function headersOf(inputSchema: object): ParameterHeaders {
  const headers = parameterHeaders(definition(inputSchema));
  if ('problem' in headers) throw new Error(headers.problem);
  return headers;
}

function call(args: string): Buffer {
  return Buffer.from(`{"id":1,"method":"tools/call","params":{"name":"tool","arguments":${args}}}`);
}

describe('the annotations of a tool', () => {
  it('are found along the properties alone', () => {
    const inner = { type: 'object', properties: { region: REGION, other: { type: 'number' } } };
    const schema = {
      type: 'object',
      properties: { where: inner, n: { type: 'integer', 'x-mcp-header': 'N' } },
    };
    expect([...headersOf(schema)]).toEqual([
      ['region', ['where', 'region']],
      ['n', ['n']],
    ]);
  });

  it('are not what a property with their name, a default or an example says', () => {
    const properties = { 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 1 } } };
    expect(headersOf({ type: 'object', properties, examples: [{ 'x-mcp-header': 2 }] }).size).toBe(0);
  });

  it.each([
    ['is empty', { properties: { a: { type: 'string', 'x-mcp-header': '' } } }],
    ['has a blank', { properties: { a: { type: 'string', 'x-mcp-header': 'My Region' } } }],
    ['has a colon', { properties: { a: { type: 'string', 'x-mcp-header': 'A:B' } } }],
    ['has a line end', { properties: { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } } }],
    ['is not ASCII', { properties: { a: { type: 'string', 'x-mcp-header': 'Région' } } }],
    ['is no text', { properties: { a: { type: 'string', 'x-mcp-header': 7 } } }],
    ['is null', { properties: { a: { type: 'string', 'x-mcp-header': null } } }],
    ['is on a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['is on an object', { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } }],
    ['is on several types', { properties: { a: { type: ['string', 'null'], 'x-mcp-header': 'A' } } }],
    ['is there twice', { properties: { a: REGION, b: { type: 'string', 'x-mcp-header': 'REGION' } } }],
    ['is at the root', { ...REGION }],
    ['is in items', { properties: { a: { type: 'array', items: REGION } } }],
    ['is in a branch', { properties: { a: { anyOf: [{ type: 'object', properties: { b: REGION } }] } } }],
    ['is in a definition', { $defs: { region: REGION }, properties: { a: { $ref: '#/$defs/region' } } }],
    ['is in a condition', { if: { properties: { a: REGION } } }],
    ['is in a pattern', { patternProperties: { '^a': REGION } }],
  ])('make the tool invalid where one %s', (_, schema) => {
    expect(parameterHeaders(definition({ type: 'object', ...schema }))).toHaveProperty('problem');
  });
});

describe('the headers of a call', () => {
  const properties = {
    s: REGION,
    n: { type: 'integer', 'x-mcp-header': 'N' },
    b: { type: 'boolean', 'x-mcp-header': 'B' },
  };
  const headers = new ArgumentSpans(headersOf({ type: 'object', properties }));

  it.each([
    ['{"s":"a","n":42,"b":true}', { region: 'a', n: '42', b: 'true' }],
    [String.raw`{"s":"\u00e4"}`, { region: '=?base64?w6Q=?=' }],
    ['{"s":"","b":false}', { region: '=?base64??=', b: 'false' }],
    ['{"n":-7}', { n: '-7' }],
    ['{"n":42.0}', { n: '42' }],
    ['{"n":1e3}', { n: '1000' }],
    ['{"n":12345678901234567890}', { n: '12345678901234567890' }],
    ['{"s":null,"n":null,"b":null}', {}],
    ['{"s":{"s":"a"},"n":[1]}', {}],
    ['{"s":"first","s":"last"}', { region: 'last' }],
    ['{}', {}],
  ])('with %s are %j', (args, expected) => {
    const named = Object.entries(expected).map(([name, value]) => [`mcp-param-${name}`, value]);
    expect(headersOfCall(call(args), headers)).toEqual(Object.fromEntries(named));
  });

  it('are none for a call without arguments', () => {
    expect(
      headersOfCall(Buffer.from('{"id":1,"method":"tools/call","params":{"name":"tool"}}'), headers),
    ).toEqual({});
  });
});

it('a tool with more headers than servers take is not valid', () => {
  const annotated = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string', 'x-mcp-header': `P${n}` }]),
    );
  expect(parameterHeaders(definition({ type: 'object', properties: annotated(100) }))).toHaveProperty(
    'size',
    100,
  );
  expect(parameterHeaders(definition({ type: 'object', properties: annotated(101) }))).toHaveProperty(
    'problem',
  );
});

/** As servers read it. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

describe('the value of a header', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['us west 1', 'us west 1'],
    ['a\tb', 'a\tb'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['\tindented', '=?base64?CWluZGVudGVk?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['', '=?base64??='],
  ])('of %j is %j', (text, value) => {
    expect(headerValue(text)).toBe(value);
  });

  it('can be sent, and read as the text that it was', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const value = headerValue(text);
        validateHeaderValue('mcp-name', value);
        expect(value.trim()).toBe(value);
        expect(decoded(value)).toBe(Buffer.from(text).toString());
      }),
    );
  });
});
