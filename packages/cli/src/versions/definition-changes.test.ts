import { expect, it } from 'vitest';

import type { JsonObject } from '@mcpmux/clients';
import { definitionChanges } from './definition-changes.js';

const TOOL: JsonObject = {
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object', properties: {} },
};

it('a tool is added, removed, or changed in the members that a model reads', () => {
  const before = new Map([
    ['find', TOOL],
    ['old', TOOL],
    ['same', TOOL],
  ]);
  const after = new Map([
    ['new', TOOL],
    ['same', { ...TOOL, _meta: { x: 1 }, inputSchema: { properties: {}, type: 'object' } }],
    ['find', { ...TOOL, description: 'Finds more.', annotations: { readOnlyHint: true } }],
  ]);
  expect(definitionChanges(before, after)).toEqual({
    added: ['new'],
    removed: ['old'],
    changed: [{ tool: 'find', members: ['description', 'annotations'] }],
  });
});
