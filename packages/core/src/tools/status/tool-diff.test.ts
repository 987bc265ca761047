import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDefinition } from '../../testing/tool-definitions.js';
import { NO_LISTS } from '../../server/lists/server-lists.js';
import { toolDiff, type ToolDiff } from './tool-diff.js';

/** Tools by name, each with its description or further members. */
type Tools = Readonly<Record<string, string | object>>;

/** The changes to a reload. */
function diff(before: Tools, after: Tools): ToolDiff {
  const definitions = (tools: Tools) =>
    Object.entries(tools).map(([name, more]) => {
      const members = typeof more === 'string' ? { description: more } : more;
      return toolDefinition(JSON.stringify({ name, ...members, inputSchema: { type: 'object' } }));
    });
  const upstream = new StandInUpstream('s');
  upstream.offer.previousLists = { ...NO_LISTS, tools: definitions(before) };
  upstream.tools = definitions(after);
  return toolDiff(upstream);
}

describe('the changes to a reload', () => {
  it('M3: are the tools that came, went, or have another definition', () => {
    expect(diff({ same: 'x', other: 'x', gone: 'x' }, { new: 'x', other: 'y', same: 'x' })).toEqual({
      added: ['new'],
      removed: ['gone'],
      changed: ['other'],
    });
  });

  it('M3: are none when the tools only stand in another order', () => {
    expect(diff({ a: 'x', b: 'y' }, { b: 'y', a: 'x' })).toEqual({ added: [], removed: [], changed: [] });
  });

  it('M3: are none when members only stand in another order, or a default value is left out', () => {
    const before = { a: { title: 't', description: 'd' }, b: { execution: { taskSupport: 'forbidden' } } };
    const after = { a: { description: 'd', title: 't' }, b: {} };
    expect(diff(before, after).changed).toEqual([]);
    expect(diff({ b: {} }, { b: { execution: { taskSupport: 'required' } } }).changed).toEqual(['b']);
  });

  it('M3: are all tools after a run that had none', () => {
    expect(diff({}, { a: 'x' })).toEqual({ added: ['a'], removed: [], changed: [] });
  });
});
