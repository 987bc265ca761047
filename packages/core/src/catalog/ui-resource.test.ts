import { describe, expect, it } from 'vitest';

import { toolDefinition } from '../testing/tool-definitions.js';
import { uiResourcesOf } from './ui-resource.js';

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
