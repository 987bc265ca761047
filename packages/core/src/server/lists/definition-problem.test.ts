import { describe, expect, it } from 'vitest';

import { definitionOf } from '../../testing/definitions.js';
import { definitionProblem } from './definition-problem.js';
import { LISTS, type ListKind } from './list-kind.js';

const VALID: Readonly<Record<ListKind, object>> = {
  tools: { name: 'get', inputSchema: { type: 'object' } },
  prompts: { name: 'ask' },
  resources: { name: 'readme', uri: 'file:///readme' },
  resourceTemplates: { name: 'file', uriTemplate: 'file:///{path}' },
};

/** What is wrong with a legal entry of this list once `members` are added to it. */
function problemOf(kind: ListKind, members: object): string | undefined {
  const item = definitionOf(kind, { ...VALID[kind], ...members });
  return definitionProblem(item, LISTS[kind].noun);
}

describe('an entry that clients built on the SDKs refuse', () => {
  it.each<[ListKind, object, string]>([
    ['tools', { inputSchema: undefined }, 'it has no inputSchema'],
    ['tools', { inputSchema: {} }, 'its inputSchema does not have the type "object"'],
    ['tools', { outputSchema: { type: 'array' } }, 'its outputSchema does not have the type "object"'],
    ['tools', { outputSchema: null }, 'its outputSchema is not valid'],
    [
      'tools',
      { inputSchema: { type: 'object', properties: { a: true } } },
      'its inputSchema.properties.a is not valid',
    ],
    ['tools', { inputSchema: { type: 'object', required: [7] } }, 'its inputSchema.required.0 is not valid'],
    ['tools', { inputSchema: { type: 'object', $schema: 7 } }, 'its inputSchema.$schema is not valid'],
    ['tools', { annotations: { title: null } }, 'its annotations.title is not valid'],
    ['tools', { annotations: { readOnlyHint: 'yes' } }, 'its annotations.readOnlyHint is not valid'],
    ['tools', { execution: { taskSupport: 'maybe' } }, 'its execution.taskSupport is not valid'],
    ['tools', { title: null }, 'its title is not valid'],
    ['tools', { _meta: [] }, 'its _meta is not valid'],
    ['tools', { icons: [{ src: 'x', sizes: '48x48' }] }, 'its icons.0.sizes is not valid'],
    ['tools', { icons: [{ src: 'x', theme: 'sepia' }] }, 'its icons.0.theme is not valid'],
    ['prompts', { arguments: [{}] }, 'it has no arguments.0.name'],
    ['prompts', { arguments: [{ name: 'a', required: 'true' }] }, 'its arguments.0.required is not valid'],
    ['resources', { name: undefined }, 'it has no name'],
    ['resources', { size: '7' }, 'its size is not valid'],
    ['resources', { annotations: { priority: 2 } }, 'its annotations.priority is not valid'],
    ['resources', { annotations: { audience: ['all'] } }, 'its annotations.audience.0 is not valid'],
    [
      'resources',
      { annotations: { lastModified: '2025-01-12' } },
      'its annotations.lastModified is not valid',
    ],
    ['resourceTemplates', { mimeType: null }, 'its mimeType is not valid'],
  ])('S10: is told from the others: %s %j', (kind, members, problem) => {
    const reported = problemOf(kind, members);
    expect(reported?.startsWith(problem) === true ? problem : reported).toBe(problem);
  });
});

describe('what is said of an entry', () => {
  it('is short, whatever keys the server gave', () => {
    const inputSchema = { type: 'object', properties: { ['x'.repeat(100_000)]: null } };
    expect(problemOf('tools', { inputSchema })?.length).toBeLessThan(300);
  });
});

describe('an entry that they accept', () => {
  it.each<[ListKind, object]>([
    ['tools', {}],
    ['tools', { mimeType: 7, size: null, arguments: 'x' }],
    ['tools', { annotations: { vendorHint: 'x' } }],
    ['tools', { inputSchema: { type: 'object', properties: { constructor: { type: 'string' } } } }],
    ['tools', { inputSchema: { type: 'object', $defs: null, additionalProperties: false } }],
    ['prompts', { annotations: 'x', inputSchema: 7 }],
    ['resources', { annotations: { lastModified: '2025-01-12T15:00:58+01:00', priority: 1 } }],
    ['resourceTemplates', { size: 'large', execution: null }],
  ])('S10: has members that they do not know as it likes: %s %j', (kind, members) => {
    expect(problemOf(kind, members)).toBeUndefined();
  });
});
