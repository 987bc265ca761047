import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { readPage, type Definition, type Page } from './definition.js';
import { LISTS } from './list-kind.js';

/** Reads a result as it would stand in a line between other things. */
function read(result: string): Page | undefined {
  const before = '{"jsonrpc":"2.0","id":"ü","result":';
  const line = Buffer.from(`${before}${result}}`);
  const span = {
    start: Buffer.byteLength(before),
    end: Buffer.byteLength(before) + Buffer.byteLength(result),
  };
  return readPage(line, span, LISTS.tools);
}

function readTools(...tools: readonly string[]): readonly Definition[] {
  return read(`{"tools":[${tools.join(',')}]}`)?.items ?? [];
}

function textAt({ bytes }: Definition, span: { start: number; end: number } | undefined): string | undefined {
  return span === undefined ? undefined : bytes.toString('utf8', span.start, span.end);
}

describe('a tool definition', () => {
  it.each([
    '{"name":"plain","inputSchema":{"type":"object"}}',
    '{ "inputSchema" : {"type":"object","properties":{"n":{"maximum":9007199254740993,"minimum":-0,"default":1.0}}} ,\t"name":"numbers" }',
    '{"name":"duplicate keys","x":1,"x":2,"10":"first","9":"second"}',
    '{"name":"unknown","annotations":{"readOnlyHint":true},"icons":[{"src":"data:,"}],"x-vendor":{"__proto__":{"a":1}}}',
    '{"name":"日本語","description":"\\u65e5\\ud83d\\ude00 \u2028 🙂"}',
    '{"description":"the name comes last, and \\"name\\": \\"quoted\\" is a text","name":"last"}',
    '{"name":"nested","inputSchema":{"name":"inner","properties":{"name":{"type":"string"}}}}',
  ])('is kept byte for byte: %s', (tool) => {
    const [definition] = readTools(tool);
    expect(definition?.bytes.toString()).toBe(tool);
    const { name }: { name: string } = JSON.parse(tool);
    expect(definition?.key).toBe(name);
  });

  it('says where its name stands, quotes and escapes included', () => {
    const [definition] = readTools('{"title":"x", "name" : "a\\u0062\\"c" }');
    expect(definition?.key).toBe('ab"c');
    expect(definition?.keyJson.toString()).toBe('"a\\u0062\\"c"');
    expect(definition && textAt(definition, definition.keySpan)).toBe('"a\\u0062\\"c"');
  });

  it('is found under a key that is written with escapes', () => {
    expect(readTools('{"n\\u0061me":"escaped"}').map(({ key }) => key)).toEqual(['escaped']);
  });

  it.each([
    ['{"name":"a","_meta":{"x/y": 1.0}}', '{"x/y": 1.0}'],
    ['{"_meta":{},"name":"a"}', '{}'],
    ['{"name":"a","_meta":null}', undefined],
    ['{"name":"a","_meta":"text"}', undefined],
    ['{"name":"a","_meta":[{}]}', undefined],
    ['{"name":"a"}', undefined],
  ])('says where its _meta stands, if that is an object: %s', (tool, meta) => {
    const [definition] = readTools(tool);
    expect(definition && textAt(definition, definition.metaSpan)).toBe(meta);
  });

  it('does not keep the line alive that it came in', () => {
    const [definition] = readTools(
      '{"name":"small"}',
      `{"name":"large","description":"${'x'.repeat(100_000)}"}`,
    );
    expect(definition?.bytes.buffer.byteLength).toBeLessThan(20_000);
  });

  it.each([
    'null',
    '7',
    '"name"',
    '[]',
    '["name","a"]',
    '{}',
    '{"title":"nameless"}',
    '{"name":7}',
    '{"name":null}',
  ])('without a name is skipped and counted: %s', (tool) => {
    const page = read(`{"tools":[{"name":"before"},${tool},{"name":"after"}]}`);
    expect(page?.items.map(({ key }) => key)).toEqual(['before', 'after']);
    expect(page?.skippedCount).toBe(1);
  });

  it('may have any name that JSON can write, also one of a prototype', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyText(), fc.constantFrom('__proto__', 'constructor', 'toString'))),
        (names) => {
          const wellFormed = names.map((name) => Buffer.from(name).toString());
          const tools = wellFormed.map((name) => JSON.stringify({ title: 'x', name }));
          const found = readTools(...tools);
          expect(found.map(({ key }) => key)).toEqual(wellFormed);
          expect(found.map(({ bytes }) => bytes.toString())).toEqual(tools);
        },
      ),
      propertyRuns(25),
    );
  });

  it('G8: is kept byte for byte whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (definitions) => {
        const tools = definitions.map((members, index) =>
          JSON.stringify({ ...members, name: `tool ${index}` }, null, index % 3),
        );
        expect(readTools(...tools).map(({ bytes }) => bytes.toString())).toEqual(tools);
      }),
    );
  });
});

describe('a page of tools', () => {
  it('may be empty', () => {
    expect(read('{"tools":[]}')).toEqual({ items: [], nextCursor: undefined, skippedCount: 0 });
  });

  it.each([
    ['{"tools":[],"nextCursor":"page 2"}', 'page 2'],
    ['{"nextCursor":"","tools":[]}', ''],
    ['{"tools":[],"nextCursor":"\\u0000\\n"}', '\u0000\n'],
    ['{"tools":[],"nextCursor":null}', undefined],
    ['{"tools":[],"nextCursor":7}', undefined],
    ['{"tools":[]}', undefined],
  ])('names the next one by a text, which may be empty: %s', (result, cursor) => {
    expect(read(result)?.nextCursor).toBe(cursor);
  });

  it.each(['{}', '[]', 'null', '"tools"', '{"tools":{}}', '{"nextCursor":"x"}', '{"Tools":[]}'])(
    'without an array of tools is none: %s',
    (result) => {
      expect(read(result)).toBeUndefined();
    },
  );
});
