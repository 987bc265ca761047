import { readMessage, keyPaths, splice } from '@mcpmux/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readDefinition, type Definition } from './definition.js';
import { LISTS } from './list-kind.js';
import { argumentEdits, shapedTool, type ToolShape } from './tool-shape.js';

const SCHEMA = '{"type":"object","properties":{"q":{"type":"string"},"n":{"default":1, "x":1.0},"repo":true}';
const TOOL = `{ "name":"find","inputSchema":${SCHEMA},"required":["q","repo"]},"outputSchema":{"type":"object"}}`;

function tool(text = TOOL): Definition {
  const definition = readDefinition(Buffer.from(text), LISTS.tools);
  if (definition === undefined) throw new Error('no definition');
  return definition;
}

const shown = (shape: ToolShape, text?: string): string => shapedTool(tool(text), shape).bytes.toString();

describe('the schema that clients get', () => {
  it.each<[string, ToolShape, string]>([
    [
      'is without fixed and hidden arguments',
      { arguments: { q: { value: 1 }, n: { hidden: true } } },
      '{ "name":"find","inputSchema":{"type":"object","properties":{"repo":true},"required":["repo"]},"outputSchema":{"type":"object"}}',
    ],
    [
      'has the default, of which no argument is required',
      { arguments: { n: { default: 5 }, repo: { default: 'a/b' }, q: { default: '' } } },
      '{ "name":"find","inputSchema":{"type":"object","properties":{"q":{"type":"string","default":""},"n":{"x":1.0,"default":5},"repo":{"default":"a/b"}}},"outputSchema":{"type":"object"}}',
    ],
    [
      'has no output if results have no structured content',
      { result: 'content' },
      `{ "name":"find","inputSchema":${SCHEMA},"required":["q","repo"]}}`,
    ],
    ['is as it was for unknown arguments', { arguments: { other: { value: 1 } } }, TOOL],
    ['is as it was for structured content', { result: 'structuredContent' }, TOOL],
  ])('%s', (_, shape, text) => {
    expect(shown(shape)).toBe(text);
  });

  it.each([
    '{"name":"x"}',
    '{"name":"x","inputSchema":true}',
    '{"name":"x","inputSchema":{"properties":[]}}',
  ])('may be anything: %s', (text) => {
    expect(shown({ arguments: { q: { value: 1 } } }, text)).toBe(text);
  });

  it('is the same for clients of each era', () => {
    const both = { ...tool(), forOthers: tool(TOOL.replace('find', 'other')) };
    const { forOthers } = shapedTool(both, { arguments: { q: { value: 1 } } });
    expect(forOthers?.bytes.toString()).not.toContain('"q"');
    expect(forOthers?.shape?.arguments.get('q')).toEqual({ kind: 'value', json: '1' });
  });
});

/** The request as the server gets it. */
function sent(line: string, shape: ToolShape): string {
  const bytes = Buffer.from(line);
  const message = readMessage(bytes, keyPaths(['name']));
  const name = message.kind === 'request' ? message.params.get('name') : undefined;
  const { shape: compiled } = shapedTool(tool(), shape);
  if (name === undefined || compiled === undefined) throw new Error('no call of a shaped tool');
  return splice(bytes, argumentEdits(bytes, name, compiled))
    .subarray(0, -1)
    .toString();
}

const call = (params: string): string =>
  `{"id":1,"method":"tools/call","jsonrpc":"2.0","params":{${params}}}`;
const SHAPE: ToolShape = {
  arguments: { repo: { value: 'mine' }, n: { default: 5 }, q: { hidden: true } },
};

describe('the arguments that a server gets', () => {
  const OTHER: ToolShape = {
    arguments: { owner: { value: 'me' }, admin: { hidden: true }, page: { default: 1 } },
  };
  const FROM_CLIENT = '"name":"find","arguments":{"owner":"them","admin":true,"x":1}';

  it('are fixed or absent also where the schema does not name them', () => {
    expect(sent(call(FROM_CLIENT), OTHER)).toBe(call('"name":"find","arguments":{"x":1,"owner":"me"}'));
    expect(sent(call('"name":"find"'), OTHER)).toBe(call('"name":"find","arguments":{"owner":"me"}'));
  });

  it('have no value of a pattern that the schema does not name, and none of a client in its place', () => {
    const pattern = { ...OTHER, isPattern: true };
    expect(sent(call(FROM_CLIENT), pattern)).toBe(call('"name":"find","arguments":{"x":1}'));
  });

  it.each([
    ['"name":"find"', '"name":"find","arguments":{"repo":"mine","n":5}'],
    ['"name":"find","arguments":null', '"name":"find","arguments":{"repo":"mine","n":5}'],
    ['"arguments":{},"name":"find"', '"arguments":{"repo":"mine","n":5},"name":"find"'],
    [
      '"name":"find","arguments":{ "big":12345678901234567890, "n": 1e2}',
      '"name":"find","arguments":{"big":12345678901234567890,"n":1e2,"repo":"mine"}',
    ],
    [
      String.raw`"name":"find","arguments":{"r\u0065po":"theirs","repo":"theirs","q":1,"n":null}`,
      '"name":"find","arguments":{"n":null,"repo":"mine"}',
    ],
    ['"name":"find","arguments":[1]', '"name":"find","arguments":[1]'],
    [
      '"arguments":{"repo":1},"name":"find","arguments":{"q":1}',
      '"arguments":{"repo":"mine","n":5},"name":"find","arguments":{"repo":"mine","n":5}',
    ],
  ])('of %s', (params, expected) => {
    expect(sent(call(params), SHAPE)).toBe(call(expected));
  });

  it('never are those of a client where they are fixed or hidden, and all others are as sent', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('q', 'n', 'repo')), fc.jsonValue()),
        (args) => {
          const line = sent(call(`"name":"find","arguments":${JSON.stringify(args)}`), SHAPE);
          const { params } = JSON.parse(line) as { readonly params: { readonly arguments: object } };
          const { q: _, ...others } = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
          const expected: Record<string, unknown> = { n: 5, ...others, repo: 'mine' };
          expect(JSON.parse(JSON.stringify(params.arguments))).toEqual(expected);
        },
      ),
    );
  });
});
