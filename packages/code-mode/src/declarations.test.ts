import { recordedTools } from '@mcpmux/testing/recordings';
import { describe, expect, it } from 'vitest';

import { declarationsOf } from './declarations.js';
import { typeOf } from './schema-type.js';

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
    [{ const: true }, 'true'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
    [
      { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }] },
      '({ a?: string }) & (Record<string, unknown>)',
    ],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: false }, '{  }'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ properties: { 'a-b': { type: 'boolean' } }, required: ['a-b'] }, '{ "a-b": boolean }'],
    [{ $ref: '#/$defs/x', $defs: { x: { type: 'string' } } }, 'string'],
    [{ $ref: 'https://example.org/x' }, 'unknown'],
    [true, 'unknown'],
    [undefined, 'unknown'],
    [{ type: 'constructor' }, 'unknown'],
  ])('of %j is %s', (schema, type) => expect(typeOf(schema)).toBe(type));

  it('ends for a schema that contains itself', () => {
    const schema = { type: 'object', properties: { child: { $ref: '#' }, name: { type: 'string' } } };
    expect(typeOf(schema)).toContain('name?: string');
  });

  it('is bounded for a schema that grows with each level', () => {
    const node = {
      type: 'object',
      properties: Object.fromEntries('abcdefghij'.split('').map((key) => [key, { $ref: '#' }])),
    };
    expect(typeOf(node).length).toBeLessThan(100_000);
  });
});

describe('declarations of tools', () => {
  it('have the tools of a recorded server-filesystem, with the arguments that they need', () => {
    const tools = recordedTools('filesystem');
    const text = declarationsOf(tools.map((definition) => ({ name: `fs__${definition.name}`, definition })));
    expect(tools.length).toBeGreaterThan(10);
    for (const { name } of tools) expect(text).toContain(`${name}(args`);
    expect(text).toContain('read_text_file(args: { path: string;');
    expect(text).toContain('Promise<{ content: string }>');
  });

  it('have the tools by server, with their descriptions', () => {
    const text = declarationsOf([
      {
        name: 'git__log',
        definition: {
          description: 'Shows  commits. */ ends',
          inputSchema: { type: 'object', properties: { n: { type: 'integer', description: 'How many' } } },
          outputSchema: {
            type: 'object',
            properties: { commits: { type: 'array', items: { type: 'string' } } },
            required: ['commits'],
          },
        },
      },
      {
        name: 'git__two-words',
        definition: {
          inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        },
      },
    ]);
    expect(text).toContain('  git: {\n    /** Shows commits. * / ends */\n');
    expect(text).toContain(
      '    log(args?: { /** How many */ n?: number }): Promise<{ commits: string[] }>;\n',
    );
    expect(text).toContain('    "two-words"(args: { a: string }): Promise<ToolResult>;');
  });
});
