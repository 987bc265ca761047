import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDefinition } from '../../testing/tool-definitions.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { findTools, type ToolQuery } from './tool-search.js';

interface Found {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

function serverWith(name: string, ...tools: readonly object[]): StandInUpstream {
  const upstream = new StandInUpstream(name);
  upstream.tools = tools.map((tool) =>
    toolDefinition(JSON.stringify({ inputSchema: { type: 'object' }, ...tool })),
  );
  return upstream;
}

const SNAPSHOT = toolDirectory(
  [
    serverWith(
      'github',
      { name: 'create_issue', description: 'Opens a bug report' },
      { name: 'listPullRequests', description: 'Lists what waits for review' },
      { name: 'search', inputSchema: { type: 'object', properties: { milestone: { type: 'string' } } } },
    ),
    serverWith(
      'files',
      { name: 'read', title: 'Read a file', description: 'Says what is in it; no issue is too large' },
      { name: 'größe', description: 'Länge der Datei' },
    ),
  ],
  ['own_tool'],
).snapshot();

function search(query: string, rest: Partial<ToolQuery> = {}): Found {
  return JSON.parse(findTools(SNAPSHOT, { query, detail: 'name', limit: 10, ...rest }).json) as Found;
}

function names({ tools }: Found): readonly unknown[] {
  return tools.map(({ name }) => name);
}

describe('a search for tools', () => {
  it.each([
    ['pull requests', 'github__listPullRequests'],
    ['bug', 'github__create_issue'],
    ['milestone', 'github__search'],
    ['file', 'files__read'],
    ['milestne', 'github__search'],
    ['revie', 'github__listPullRequests'],
    ['CREATE ISSUE', 'github__create_issue'],
    ['github create', 'github__create_issue'],
    ['Datei', expect.stringMatching(/^files__/)],
  ])(
    'finds by words of name, title, description and parameters, also misspelled or begun: %s',
    (query, name) => {
      expect(names(search(query))[0]).toEqual(name);
    },
  );

  it('does not take a short word for its neighbours', () => {
    expect(search('rea').total).toBe(1);
    expect(search('raed').total).toBe(0);
  });

  it('puts a tool first that has the word in its name', () => {
    expect(names(search('issue'))).toEqual(['github__create_issue', 'files__read']);
  });

  it.each(['zzzzzz', '!?', '__', ' '])('finds nothing where there is nothing: %j', (query) => {
    expect(search(query)).toEqual({ tools: [], total: 0 });
  });

  it('finds only the tools of one server when it is asked to', () => {
    expect(search('issue', { server: 'files' })).toEqual({ tools: [{ name: 'files__read' }], total: 1 });
  });

  it('says how many match when it shows fewer', () => {
    expect(search('issue', { limit: 1 })).toEqual({ tools: [{ name: 'github__create_issue' }], total: 2 });
  });

  it('shows as much of each tool as is asked for', () => {
    expect(search('bug', { detail: 'description', limit: 1 }).tools).toEqual([
      { name: 'github__create_issue', description: 'Opens a bug report' },
    ]);
    expect(search('bug', { detail: 'definition', limit: 1 }).tools).toEqual([
      {
        inputSchema: { type: 'object' },
        name: 'github__create_issue',
        description: 'Opens a bug report',
      },
    ]);
  });

  it('does not find the tools of mcpmux, which every client knows', () => {
    expect(search('own_tool').total).toBe(0);
  });
});
