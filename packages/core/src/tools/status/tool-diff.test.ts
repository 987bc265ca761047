import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDefinition } from '../../testing/tool-definitions.js';
import { NO_LISTS } from '../../upstream/lists/server-lists.js';
import { toolDiff, type ToolDiff } from './tool-diff.js';

/** What a reload changed. Tools are given by name and description. */
function diff(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): ToolDiff {
  const definitions = (tools: Readonly<Record<string, string>>) =>
    Object.entries(tools).map(([name, description]) =>
      toolDefinition(JSON.stringify({ name, description, inputSchema: { type: 'object' } })),
    );
  const upstream = new StandInUpstream('s');
  upstream.offer.listsBefore = { ...NO_LISTS, tools: definitions(before) };
  upstream.tools = definitions(after);
  return toolDiff(upstream);
}

describe('the changes of a reload', () => {
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

  it('M3: are all tools after a run that had none', () => {
    expect(diff({}, { a: 'x' })).toEqual({ added: ['a'], removed: [], changed: [] });
  });
});
