import { splice, valuePaths, valueSpans } from '@mcpmux/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { completeTypeSpan, readModernResult, typeRemovalEdits } from './result-type.js';

const TYPE = valuePaths([['resultType']]);
const type = fc.constantFrom('"complete"', '"input_required"', '"task"', '7', '"compl\\u0065te"');
/** Values in which a search for bytes could find what is no member of the result. */
const value = fc.constantFrom(
  '{"resultType":"complete"}',
  '{"a":1,"resultType":"complete"}',
  '[{"x":{"resultType":"complete"}}]',
  '"\\",\\"resultType\\":\\"complete\\"}"',
  '",\\"resultType\\":\\"complete\\""',
  '{"io.modelcontextprotocol/serverInfo":{"name":"a}","version":"1"}}',
  '"é"',
  '1.0',
);
const gap = fc.constantFrom('', '', '', ' ', '\t ');
const member = fc.oneof(
  fc.tuple(fc.constantFrom('content', '_meta', 'x', 'structuredContent'), value),
  fc.tuple(fc.constantFrom('resultType', 'resultType', 'result\\u0054ype'), type),
);
const result = fc
  .record({ members: fc.array(member, { maxLength: 5 }), gap })
  .map(({ members, gap: space }) => {
    const written = members.map(([key, json]) => `"${key}"${space}:${space}${json}`);
    return `{${written.join(`${space},${space}`)}${space}}`;
  });
const line = fc
  .tuple(result, fc.constantFrom('', ',"x":{"resultType":"complete"}'))
  .map(([json, after]) => ({ text: `{"id":1,"result":${json}${after}}`, start: 17, end: 17 + json.length }));

function at(text: string, json: { readonly start: number; readonly end: number }) {
  const bytes = Buffer.from(text);
  // The strings above have one character of two bytes.
  const start = Buffer.byteLength(text.slice(0, json.start));
  const end = Buffer.byteLength(text.slice(0, json.end));
  return { bytes, span: { start, end } };
}

describe('the type of a result that is found from its end', () => {
  it('is that of the result itself, as peers read it', () => {
    fc.assert(
      fc.property(line, ({ text, ...json }) => {
        const { bytes, span } = at(text, json);
        const found = completeTypeSpan(bytes, span);
        if (found === undefined) return;
        const all = valueSpans(bytes, span, TYPE).map((one) => one.span);
        expect(all.at(-1)).toEqual(found);
        expect(JSON.parse(text.slice(json.start, json.end)).resultType).toBe('complete');
        expect(readModernResult(bytes, span).type).toBe('complete');
        const bare = typeRemovalEdits(bytes, span, found);
        if (bare === undefined || text.includes('u0054')) return;
        expect(JSON.parse(splice(bytes, bare).toString()).result).not.toHaveProperty('resultType');
      }),
      propertyRuns(750),
    );
  });

  it('is found where servers built with an SDK write it', () => {
    const meta = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}';
    const results = [
      `{"content":[],"resultType":"complete"}`,
      `{"resultType":"complete"}`,
      `{"content":[],"resultType":"complete",${meta}}`,
      `{ "x":1,"resultType":"complete", "content" : [1] , ${meta} }`,
    ];
    for (const json of results) {
      const { bytes, span } = at(json, { start: 0, end: json.length });
      expect(completeTypeSpan(bytes, span)).toBeDefined();
    }
  });

  it('is the last of two, as peers take it', () => {
    const json = '{"resultType":"complete","inputRequests":{},"resultType":"input_required"}';
    const { bytes, span } = at(json, { start: 0, end: json.length });
    expect(completeTypeSpan(bytes, span)).toBeUndefined();
    expect(readModernResult(bytes, span).type).toBe('input_required');
  });
});
