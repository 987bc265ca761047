import { describe, expect, it } from 'vitest';
import { definitionOf } from '../testing/definitions.js';
import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { toolDefinition } from '../testing/tool-definitions.js';
import { resourceEntry, toolEntry, uiResourcesOf } from './list-entries.js';
import { mergeNamedLists } from './named-list.js';

const ALIASES = new Map([['ui://x', 'ui://gh/x']]);

function entryOf(json: string, aliases: ReadonlyMap<string, string>): string {
  const gh = new StandInUpstream('gh');
  const [tool] = mergeNamedLists([gh], () => [toolDefinition(json)], 64).entries;
  if (tool === undefined) throw new Error('no entry');
  return toolEntry(tool, aliases).toString('utf8');
}

describe('a tool in its list', () => {
  it('A3: has the alias of its user interface, wherever it is named', () => {
    expect(
      entryOf(
        '{"_meta":{"ui":{"resourceUri":"ui://x"},"n":1.0,"ui/resourceUri":"ui://x"},"name":"get"}',
        ALIASES,
      ),
    ).toBe(
      '{"_meta":{"ui":{"resourceUri":"ui://gh/x"},"n":1.0,"ui/resourceUri":"ui://gh/x"},"name":"gh__get"}',
    );
  });

  it('A3: has the alias beside a fitted name, which adds to the same _meta', () => {
    const entry = entryOf('{"_meta":{"ui":{"resourceUri":"ui://x"}},"name":"a b"}', ALIASES);
    expect(JSON.parse(entry)).toMatchObject({
      _meta: { 'dev.mcpmux/originalName': 'gh__a b', ui: { resourceUri: 'ui://gh/x' } },
    });
  });

  it('S10: keeps URIs without an alias, and those that stand elsewhere', () => {
    const json = '{"description":"ui://x","_meta":{"ui":{"resourceUri":"ui://y"}},"name":"gh"}';
    expect(entryOf(json, ALIASES)).toBe(json.replace('"name":"gh"', '"name":"gh__gh"'));
  });
});

describe('a resource in its list', () => {
  const resource = definitionOf('resources', { name: 'ui://x', uri: 'ui://x', size: 7 });

  it('A3: has its alias for its URI, and keeps the rest', () => {
    expect(resourceEntry(resource, ALIASES).toString('utf8')).toBe(
      '{"name":"ui://x","uri":"ui://gh/x","size":7}',
    );
  });

  it('S1: without an alias is what the server gave', () => {
    expect(resourceEntry(resource, new Map())).toBe(resource.bytes);
  });
});

/** The URIs that a tool with this `_meta` names, each with its text in the definition. */
function named(meta: string): readonly (readonly string[])[] {
  const tool = toolDefinition(`{"name":"é","x":{"ui":{"resourceUri":"no"}},"_meta":${meta}}`);
  return uiResourcesOf(tool).map(({ uri, span }) => [uri, tool.bytes.toString('utf8', span.start, span.end)]);
}

describe('the user interface of a tool', () => {
  it('S10: is named by either spelling, or by both', () => {
    expect(named('{"ui":{"resourceUri":"ui://a"}}')).toEqual([['ui://a', '"ui://a"']]);
    expect(named(String.raw`{"ui/resourceUri": "ui:\/\/b"}`)).toEqual([['ui://b', String.raw`"ui:\/\/b"`]]);
    expect(named('{"ui/resourceUri":"ui://b","ui":{"v":1,"resourceUri":"ui://a"}}')).toEqual([
      ['ui://b', '"ui://b"'],
      ['ui://a', '"ui://a"'],
    ]);
  });

  it.each([
    'null',
    '"resourceUri"',
    '{}',
    '{"ui":"resourceUri"}',
    '{"ui":{"resourceUri":7}}',
    '{"ui":[{"resourceUri":"x"}]}',
    '{"other":{"resourceUri":"x"}}',
  ])('S10: is not named by %s', (meta) => {
    expect(named(meta)).toEqual([]);
  });

  it('S10: is not looked for in a tool without _meta', () => {
    expect(uiResourcesOf(toolDefinition('{"name":"a","description":"resourceUri"}'))).toEqual([]);
  });
});
