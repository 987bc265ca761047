import { describe, expect, it } from 'vitest';

import type { ToolSettings } from '@mcpmux/config';
import type { ReadyServer } from '@mcpmux/config/follow';

import { toolNames, unmatchedFilterMessages } from './unmatched-filters.js';

const TOOLS = ['read_file', 'write_file'];

function withSettings(tools: ToolSettings | undefined): ReadyServer {
  return { status: 'ready', name: 'files', config: { command: 'x' }, tools, isRequired: false };
}

describe('a setting of tools that matches no tool is told of', () => {
  it.each<readonly [string, ToolSettings, readonly string[]]>([
    [
      'an included pattern',
      { include: ['nosuch_*', 'read_*'], exclude: [], overrides: {} },
      ['"nosuch_*" in the included tools matches no tool.'],
    ],
    [
      'an excluded name',
      { exclude: ['writ_file'], overrides: {} },
      ['"writ_file" in the excluded tools matches no tool. Did you mean "write_file"?'],
    ],
    [
      'another name for a tool',
      { exclude: [], overrides: { nosuch: { name: 'zz' }, '*': { hidden: true } } },
      ['"nosuch" in mux.tools matches no tool.'],
    ],
  ])('%s', (_, settings, reported) => {
    expect(unmatchedFilterMessages(withSettings(settings), TOOLS)).toEqual(reported);
  });

  it('but not while the tools are unknown', () => {
    const settings = { include: ['nosuch'], exclude: [], overrides: {} };
    expect(unmatchedFilterMessages(withSettings(settings), [])).toEqual([]);
    expect(unmatchedFilterMessages(withSettings(undefined), TOOLS)).toEqual([]);
  });
});

it('names are those of the server itself', () => {
  expect(toolNames({ tools: ['{"name":"a"}', 'no json', '{"name":5}'] })).toEqual(['a']);
});
