import { describe, expect, it } from 'vitest';

import { definitionOf } from '../../testing/definitions.js';
import { definitionProblem } from './definition-problem.js';
import { LISTS, type ListKind } from './list-kind.js';
import { repairedDefinition, withoutOutputSchema } from './repaired-definition.js';

const VALID: Readonly<Record<ListKind, object>> = {
  tools: { name: 'get', inputSchema: { type: 'object' } },
  prompts: { name: 'ask' },
  resources: { name: 'readme', uri: 'file:///readme' },
  resourceTemplates: { name: 'file', uriTemplate: 'file:///{path}' },
};
const OBJECT = { type: 'object' };

/** A legal entry of this list with other members: as clients get it, and the problem that is left. */
function repaired(kind: ListKind, members: object) {
  const { bytes } = definitionOf(kind, { ...VALID[kind], ...members });
  const repair = repairedDefinition(bytes);
  const entry = JSON.parse((repair?.bytes ?? bytes).toString()) as Record<string, unknown>;
  const problem = definitionProblem(definitionOf(kind, entry), LISTS[kind].noun);
  return { entry, problem, repairs: repair?.repairs ?? [] };
}

describe('F13: an entry with a null that has one meaning', () => {
  it.each<[ListKind, object]>([
    [
      'tools',
      { title: null, description: null, outputSchema: null, annotations: null, icons: null, _meta: null },
    ],
    ['tools', { execution: null }],
    ['tools', { inputSchema: { ...OBJECT, required: null } }],
    ['tools', { inputSchema: { ...OBJECT, properties: null, $schema: null } }],
    ['tools', { outputSchema: { ...OBJECT, required: null, properties: null } }],
    ['tools', { annotations: { title: null, readOnlyHint: null, destructiveHint: true } }],
    ['tools', { icons: [{ src: 'a', sizes: null, mimeType: null, theme: null }] }],
    ['tools', { execution: { taskSupport: null } }],
    ['prompts', { title: null, arguments: null }],
    [
      'prompts',
      {
        arguments: [
          { name: 'a', description: null, required: null },
          { name: 'b', title: null },
        ],
      },
    ],
    ['resources', { mimeType: null, size: null, annotations: { audience: null, priority: null } }],
    ['resources', { annotations: { lastModified: null } }],
    ['resourceTemplates', { mimeType: null, description: null, annotations: null }],
  ])('is read without it: %s %j', (kind, members) => {
    const { entry, problem, repairs } = repaired(kind, members);
    expect(problem).toBeUndefined();
    expect(JSON.stringify(entry)).not.toContain('null');
    expect(repairs).toHaveLength(1);
    expect(repairs[0]).toMatch(/^without .*, which is null$/);
  });
});

describe('F13: a schema that is loosely written', () => {
  it.each<[object, object]>([
    [
      { type: 'object', properties: [] },
      { type: 'object', properties: {} },
    ],
    [{}, { type: 'object' }],
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [{ type: null }, { type: 'object' }],
    [{ type: 'object', properties: 'a', required: 'a', $schema: 7 }, { type: 'object' }],
    [{ type: 'object', required: [7] }, { type: 'object' }],
    [
      { type: 'object', properties: { a: true, b: null, c: false, d: { type: 'string' }, e: 'text' } },
      { type: 'object', properties: { a: {}, b: {}, c: { not: {} }, d: { type: 'string' }, e: {} } },
    ],
  ])('%j is read as %j', (inputSchema, expected) => {
    const { entry, problem } = repaired('tools', { inputSchema });
    expect(problem).toBeUndefined();
    expect(entry['inputSchema']).toEqual(expected);
  });

  it('is not touched where it has no one meaning', () => {
    expect(repaired('tools', { inputSchema: { type: 'string' } })).toMatchObject({
      problem: 'its inputSchema does not have the type "object"',
      repairs: [],
    });
  });

  it('of results is left out where clients refuse it', () => {
    const { bytes } = definitionOf('tools', { ...VALID.tools, outputSchema: { type: 'array' }, title: 'T' });
    expect(JSON.parse(withoutOutputSchema(bytes)?.toString() ?? '')).toEqual({ ...VALID.tools, title: 'T' });
  });
});

it('F13: a day in annotations.lastModified becomes its first moment', () => {
  const { entry, problem } = repaired('resources', { annotations: { lastModified: '2026-11-29' } });
  expect(problem).toBeUndefined();
  expect(entry['annotations']).toEqual({ lastModified: '2026-11-29T00:00:00Z' });
});

it('F13: every byte that is not repaired stays', () => {
  const text =
    '{"name":"n", "inputSchema" : {"type":"object","maximum":12345678901234567890, "required" :null},"title":null}';
  expect(repairedDefinition(Buffer.from(text))?.bytes.toString()).toBe(
    '{"name":"n", "inputSchema" : {"type":"object","maximum":12345678901234567890}}',
  );
});
