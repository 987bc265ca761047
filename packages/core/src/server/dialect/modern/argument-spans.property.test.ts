import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ArgumentSpans } from './argument-spans.js';

const KEYS = ['', 'a', 'b', 'a.b', '[]', 'é', '"', '__proto__'];
const key = fc.constantFrom(...KEYS);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 1.5, 'text', []),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((members) => ({ members })),
  ),
}));

/** Members in the order of the list, also those that stand twice; some keys with an escape. */
function text(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('members' in value)) return JSON.stringify(value);
  const members = value.members as readonly (readonly [string, unknown])[];
  return `{${members.map(([name, one]) => `${quoted(name)}: ${text(one)}`).join(' , ')}}`;
}

function quoted(name: string): string {
  return name === 'a' ? String.raw`"\u0061"` : JSON.stringify(name);
}

function valueAt(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, first) ? valueAt(Reflect.get(value, first), rest) : undefined;
}

describe('the arguments of a call', () => {
  it('are found by their paths as JSON.parse finds them', () => {
    const paths = fc.uniqueArray(fc.array(key, { minLength: 1, maxLength: 3 }), {
      selector: (path) => JSON.stringify(path),
      maxLength: 6,
    });
    fc.assert(
      fc.property(tree, paths, (args, wanted) => {
        const line = Buffer.from(`{"id":1,"params":{"name":"x","arguments":${text(args)}}}`);
        const named = new Map(wanted.map((path, index) => [String(index), path]));
        const found = new ArgumentSpans(named).findSpans(line);
        const parsed: unknown = JSON.parse(line.toString());
        for (const [name, path] of named) {
          const span = found.get(name);
          const value: unknown = span && JSON.parse(line.toString('utf8', span.start, span.end));
          expect(value).toEqual(valueAt(parsed, ['params', 'arguments', ...path]));
        }
      }),
    );
  });

  it('are none where none are wanted, whatever the line is', () => {
    expect(new ArgumentSpans(new Map()).findSpans(Buffer.from('no JSON')).size).toBe(0);
  });
});
