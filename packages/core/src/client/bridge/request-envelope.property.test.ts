import { isRecord } from '@mcpmux/kit';
import { splice } from '@mcpmux/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { clientEnvelope } from '../../server/dialect/modern/client-envelope.js';
import { envelopeEdits } from './request-envelope.js';

const ENVELOPE = clientEnvelope({ name: 'mcpmux', version: '1' }, { roots: {} }, 'info');
const MEMBERS = Object.fromEntries(
  Object.entries(ENVELOPE).map(([key, value]) => [key, JSON.stringify(value)]),
);

const space = fc.constantFrom('', ' ', '\t', '  \r');
/** Values that JavaScript would write otherwise. */
const value = fc.constantFrom(
  '1.0',
  '"\\u0041"',
  '{ }',
  '[ ]',
  '12345678901234567890',
  'null',
  '{"a":{"b":[1]}}',
);
const ownKey = fc.constantFrom(...Object.keys(MEMBERS));
const otherKey = fc.constantFrom('progressToken', 'x/y', 'traceparent', '');

interface Text {
  readonly text: string;
}

/** An object with these members, in any order, with any white space. */
function objectOf(members: readonly (readonly [string, string])[], gap: string): string {
  const written = members.map(([key, json]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${json}`);
  return `{${written.join(`${gap},`)}${gap}}`;
}

const meta = fc
  .record({
    members: fc.uniqueArray(fc.tuple(fc.oneof(ownKey, otherKey), value), { selector: ([key]) => key }),
    gap: space,
  })
  .map(({ members, gap }) => objectOf(members, gap));
const params = fc
  .record({
    before: fc.uniqueArray(fc.tuple(fc.constantFrom('name', 'arguments'), value), {
      selector: ([key]) => key,
    }),
    meta: fc.option(fc.oneof(meta, fc.constantFrom('null', '7', '[]')), { nil: undefined }),
    after: fc.uniqueArray(fc.tuple(fc.constantFrom('uri', 'task'), value), { selector: ([key]) => key }),
    gap: space,
  })
  .map(({ before, meta: json, after, gap }) =>
    objectOf([...before, ...(json === undefined ? [] : [['_meta', json] as const]), ...after], gap),
  );
const request = fc
  .record({
    params: fc.option(fc.oneof(params, fc.constant('null')), { nil: undefined }),
    isFirst: fc.boolean(),
    gap: space,
  })
  .map(({ params: json, isFirst, gap }): Text => {
    const own = json === undefined ? [] : [['params', json] as const];
    const others = [
      ['id', '1'],
      ['method', '"tools/call"'],
    ] as const;
    return { text: `${objectOf(isFirst ? [...own, ...others] : [...others, ...own], gap)}${gap}` };
  });

function edited(text: string): string {
  const line = Buffer.from(text);
  return splice(line, envelopeEdits(line, MEMBERS)).toString().slice(0, -1);
}

describe('the envelope of a request', () => {
  it('stands in its params whatever they look like, once, and all else is as it was', () => {
    fc.assert(
      fc.property(request, ({ text }) => {
        const before = JSON.parse(text);
        const line = edited(text);
        const after = JSON.parse(line);
        const { _meta: described, ...others }: Record<string, unknown> = before.params ?? {};
        const known = isRecord(described) ? described : {};
        expect(after).toEqual({ ...before, params: { ...others, _meta: { ...known, ...ENVELOPE } } });
        for (const key of Object.keys(MEMBERS)) expect(line.split(`"${key}"`)).toHaveLength(2);
      }),
      propertyRuns(100),
    );
  });

  it('leaves every other byte as the client wrote it', () => {
    fc.assert(
      fc.property(request, ({ text }) => {
        const line = Buffer.from(text);
        const edits = [...envelopeEdits(line, MEMBERS)].toSorted((a, b) => a.span.start - b.span.start);
        // What is cut out is a value of the envelope, or what stood where an object has to be.
        const cuts = edits.map(({ span }) => text.slice(span.start, span.end)).filter((cut) => cut !== '');
        for (const cut of cuts) JSON.parse(cut);
        expect(edits.filter(({ span }) => span.start === span.end).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is not added to params that are an array: that is for the server to refuse', () => {
    expect(edited('{"id":1,"method":"x","params":[1]}')).toBe('{"id":1,"method":"x","params":[1]}');
  });

  it('replaces each of its members that stands twice', () => {
    const key = Object.keys(MEMBERS)[0] ?? '';
    const twice = `{"id":1,"method":"x","params":{"_meta":{"${key}":"old","${key}":"older"}}}`;
    const line = edited(twice);
    expect(line).not.toContain('old');
    expect(JSON.parse(line)).toMatchObject({ params: { _meta: ENVELOPE } });
  });
});
