import { describe, expect, it } from 'vitest';

import { firstSentence, slimDefinition } from './slim-definition.js';

function slim(definition: object): unknown {
  return JSON.parse(slimDefinition(JSON.stringify(definition)));
}

describe('a slim definition', () => {
  it('has the first sentence of each description, and neither titles nor examples', () => {
    const definition = {
      name: 'a__t',
      title: 'T',
      description: 'Finds things. Use it often.',
      annotations: { title: 'T', readOnlyHint: true },
      inputSchema: {
        type: 'object',
        title: 'Args',
        properties: { q: { type: 'string', title: 'Q', description: 'The query. Long.', examples: ['x'] } },
        required: ['q'],
      },
    };
    expect(slim(definition)).toEqual({
      name: 'a__t',
      description: 'Finds things.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: 'object',
        properties: { q: { type: 'string', description: 'The query.' } },
        required: ['q'],
      },
    });
  });

  it('keeps parameters that are called like a keyword of schemas', () => {
    const inputSchema = {
      type: 'object',
      properties: { title: { type: 'string' }, examples: { type: 'array', items: { type: 'string' } } },
      required: ['title', 'examples'],
    };
    expect(slim({ name: 't', inputSchema })).toEqual({ name: 't', inputSchema });
  });

  it('keeps what a validator compares: values of enum, const and default', () => {
    const inputSchema = {
      type: 'object',
      properties: { kind: { enum: [{ title: 'A. B' }], default: { title: 'A. B' } } },
      $defs: { one: { const: { description: 'A. B' } } },
    };
    expect(slim({ name: 't', inputSchema })).toEqual({ name: 't', inputSchema });
  });

  it('reaches the schemas inside of lists and of each other', () => {
    const inner = { type: 'string', description: 'One. Two.' };
    const inputSchema = { type: 'object', properties: { a: { anyOf: [inner, { items: inner }] } } };
    const short = { type: 'string', description: 'One.' };
    expect(slim({ name: 't', inputSchema })).toEqual({
      name: 't',
      inputSchema: { type: 'object', properties: { a: { anyOf: [short, { items: short }] } } },
    });
  });

  it('is the definition itself where numbers would lose digits', () => {
    const json = '{"name":"t","title":"T","inputSchema":{"maximum":12345678901234567890}}';
    expect(slimDefinition(json)).toBe(json);
  });
});

describe('the first sentence', () => {
  it.each([
    ['Reads a file. Slowly.', 'Reads a file.'],
    ['Reads e.g. a file of 1.5 MB. Slowly.', 'Reads e.g. a file of 1.5 MB.'],
    ['Reads a file\n\nArgs:\n  path', 'Reads a file'],
    ['Reads\n  a file', 'Reads a file'],
    ['', ''],
    ['x'.repeat(300), `${'x'.repeat(199)}…`],
  ])('of %j is %j', (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });

  it('of a value that is no text is that value', () => {
    expect(firstSentence(7)).toBe(7);
  });
});
