import { describe, expect, it } from 'vitest';

import { splice } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import { resourcesAt } from '../../testing/definitions.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import type { Upstream } from '../../server/upstream.js';
import { singleCopyReader, resourceEdits, taskIdEdits } from './result-reader.js';

const ALIASED = 'memo:///x';

function read(upstream: Upstream, catalog: CatalogView, result: string): string {
  const line = Buffer.from(result);
  const edits = resourceEdits(line, { start: 0, end: line.length }, { upstream, catalog });
  return splice(line, edits).toString().trimEnd();
}

function rigOf() {
  const [first, second] = ['first', 'second'].map((name) =>
    new StandInUpstream(name).offers({ resources: resourcesAt(ALIASED) }, { resources: {} }),
  );
  const bare = new StandInUpstream('bare');
  if (first === undefined || second === undefined) throw new Error('two servers');
  const { catalog } = toolDirectory([first, second, bare]);
  const alias = catalog.snapshot().resources.aliasesOf(second).get(ALIASED) ?? '';
  return { first, second, bare, catalog, alias };
}

describe('a result that names resources', () => {
  it.each([
    (uri: string) => `{"content":[{"type":"resource_link","n":1.0,"uri":"${uri}"}]}`,
    (uri: string) => `{"content":[{"type":"text"},{"type":"resource","resource":{"uri":"${uri}"}}]}`,
    (uri: string) => `{"contents":[{"text":"","uri":"${uri}"},{"uri":"${uri}"}]}`,
    (uri: string) => `{"messages":[{"role":"user","content":{"type":"resource_link","uri":"${uri}"}}]}`,
    (uri: string) => `{"messages":[{"content":{"type":"resource","resource":{"uri":"${uri}"}}}]}`,
  ])('A3: names those that another server has too by their alias: %s', (result) => {
    const { first, second, catalog, alias } = rigOf();
    expect(alias).not.toBe('');
    expect(read(second, catalog, result(ALIASED))).toBe(result(alias));
    expect(read(first, catalog, result(ALIASED))).toBe(result(ALIASED));
  });

  it('S1: says whose they are, which is remembered', () => {
    const { second, catalog } = rigOf();
    const result = '{"content":[{"type":"resource_link","uri":"memo:///new"}]}';
    expect(read(second, catalog, result)).toBe(result);
    expect(catalog.knownUris.ownerOf('memo:///new')).toBe(second);
  });

  it.each([
    `{"structuredContent":{"uri":"${ALIASED}"}}`,
    `{"content":[{"type":"text","text":"${ALIASED}"}]}`,
    `{"content":{"uri":"${ALIASED}"}}`,
    '{"content":[{"uri":5}]}',
    '5',
  ])('S1: is nothing else than what the specification names so: %s', (result) => {
    const { second, catalog } = rigOf();
    expect(read(second, catalog, result)).toBe(result);
  });

  it('S1: is not looked for at a server without resources', () => {
    const { bare, catalog } = rigOf();
    const result = '{"contents":[{"uri":"memo:///new"}]}';
    expect(read(bare, catalog, result)).toBe(result);
    expect(catalog.knownUris.ownerOf('memo:///new')).toBeUndefined();
  });
});

describe('a result that names tasks', () => {
  it.each([
    (id: string) => `{"taskId":"${id}","n":1.0}`,
    (id: string) => `{"task":{"ttl":1,"taskId":"${id}"}}`,
    (id: string) => `{"tasks":[{"taskId":"${id}"}]}`,
    (id: string) => `{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"${id}"}}}`,
  ])('S8: names them with their server, and tells of each: %s', (result) => {
    const { first } = rigOf();
    const reported: string[] = [];
    const line = Buffer.from(result('t'));
    const edits = taskIdEdits(line, { start: 0, end: line.length }, first, (id) => reported.push(id));
    expect(splice(line, edits).toString().trimEnd()).toBe(result('mux1:first:t'));
    expect(reported).toEqual(['mux1:first:t']);
  });
});

describe('a result that says the same twice', () => {
  const TEXT = String.raw`[{"type":"text","text":"{\n \"a\": [1]}"}]`;
  const BOTH = `{"content":${TEXT},"structuredContent":{"a":[1]},"resultType":"complete"}`;

  function once(kept: 'content' | 'structuredContent', result: string): string {
    const { bare, catalog } = rigOf();
    const line = Buffer.from(result);
    const edits = singleCopyReader(kept)(
      line,
      { start: 0, end: line.length },
      { upstream: bare, catalog, isBridged: false },
    );
    return splice(line, edits).toString().trimEnd();
  }

  it.each<['content' | 'structuredContent', string, string]>([
    ['structuredContent', BOTH, '{"content":[],"structuredContent":{"a":[1]},"resultType":"complete"}'],
    ['content', BOTH, `{"content":${TEXT},"isError":false,"resultType":"complete"}`],
    [
      'content',
      `{"isError":false, "structuredContent" : {"a":[1]},"content":${TEXT}}`,
      `{"isError":false, "_meta":{},"content":${TEXT}}`,
    ],
  ])('says it once, in %s', (kept, result, expected) => {
    expect(once(kept, result)).toBe(expected);
  });

  it.each([
    BOTH.replace('[1]}', '[2]}'),
    BOTH.replace('"type":"text"', '"type":"image"'),
    BOTH.replace('[{', '[{"type":"text","text":"more"},{'),
    BOTH.replace('{"a":[1]}', '[1]'),
    '{"content":[{"type":"text","text":"{"}],"structuredContent":{}}',
    '{"content":null,"structuredContent":{}}',
    `{"content":${TEXT}}`,
    '{"structuredContent":{}}',
    '[]',
  ])('stays as it is where it says two things: %s', (result) => {
    expect(once('content', result)).toBe(result);
    expect(once('structuredContent', result)).toBe(result);
  });
});
