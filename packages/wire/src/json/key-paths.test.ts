import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { jsonString } from '@mcpmux/testing/arbitrary-json';
import { findKey, keyPaths } from './key-paths.js';

describe('keyPaths', () => {
  it('makes one node for each key of each object', () => {
    const [name, meta, ref, ...others] = keyPaths([
      'name',
      '_meta.progressToken',
      'ref.name',
      '_meta',
      'ref.uri',
    ]);
    expect(others).toEqual([]);
    expect(name).toMatchObject({ key: 'name', path: 'name', isWanted: true, children: [] });
    expect(meta).toMatchObject({
      key: '_meta',
      path: '_meta',
      isWanted: true,
      children: [{ key: 'progressToken', path: '_meta.progressToken', isWanted: true, children: [] }],
    });
    expect(ref).toMatchObject({
      path: 'ref',
      isWanted: false,
      children: [
        { key: 'name', path: 'ref.name', isWanted: true },
        { key: 'uri', path: 'ref.uri', isWanted: true },
      ],
    });
  });

  it('gives the keys of one object bits of their own', () => {
    const paths = Array.from({ length: 30 }, (_, index) => `k${index}`);
    const bits = keyPaths(paths).map((node) => node.bit);
    expect(new Set(bits).size).toBe(30);
    expect(bits.reduce((sum, bit) => sum | bit, 0)).toBe(bits.reduce((sum, bit) => sum + bit, 0));
    expect(() => keyPaths([...paths, 'one more'])).toThrow(TypeError);
  });

  it('keeps the bytes of a key as UTF-8', () => {
    expect(keyPaths(['日本'])[0]?.bytes.toString('utf8')).toBe('日本');
  });

  it('takes a path as the list of its keys, in which a dot is a character', () => {
    const [meta, ...others] = keyPaths([['_meta', 'io.x/y', 'taskId'], '_meta.progressToken']);
    expect(others).toEqual([]);
    expect(meta).toMatchObject({
      key: '_meta',
      isWanted: false,
      children: [
        { key: 'io.x/y', path: '_meta.io.x/y', isWanted: false, children: [{ key: 'taskId' }] },
        { key: 'progressToken', path: '_meta.progressToken', isWanted: true, children: [] },
      ],
    });
  });

  it('makes the same of a list as of a text, when no key has a dot', () => {
    expect(keyPaths([['a', 'b'], ['c']])).toEqual(keyPaths(['a.b', 'c']));
    expect(() => keyPaths([['a', 'b'], 'a.b'])).toThrow(TypeError);
  });

  it.each([
    [[[]]],
    [[['']]],
    [[['a', '']]],
    [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
  ])('refuses the lists %j', (paths) => {
    expect(() => keyPaths(paths)).toThrow(TypeError);
  });

  it('makes nothing of no paths', () => {
    expect(keyPaths([])).toEqual([]);
  });

  it.each([[['']], [['a.']], [['.a']], [['a..b']], [['a', 'a']], [['a.b', 'c', 'a.b']]])(
    'refuses %j',
    (paths) => {
      expect(() => keyPaths(paths)).toThrow(TypeError);
    },
  );
});

describe('findKey', () => {
  const NODES = keyPaths(['name', 'names', 'nam', 'uri', '_meta.x', '日', '"', '\\', '\\/', '/']);

  /** The key that is found at a JSON string which stands amid other text. */
  const found = (json: string) => {
    const line = Buffer.from(`name${json}name`);
    return findKey(NODES, line, 5, line.length - 5)?.key;
  };

  it.each(['name', 'names', 'nam', 'uri', '_meta', '日'])('finds %s, and no neighbour of it', (key) => {
    expect(found(`"${key}"`)).toBe(key);
  });

  it.each([
    ['"\\u006eame"', 'name'],
    ['"\\u006E\\u0061\\u006D\\u0065"', 'name'],
    ['"\\u65e5"', '日'],
    ['"\\""', '"'],
    ['"\\\\"', '\\'],
    // Its bytes are those of the key before it in the list.
    ['"\\/"', '/'],
    ['"\\\\/"', '\\/'],
  ])('finds what %s means', (json, key) => {
    expect(found(json)).toBe(key);
  });

  it.each([
    '""',
    '"Name"',
    '"name "',
    '"na"',
    '"namess"',
    '"_meta.x"',
    '"x"',
    '"\\u006eame\\u0000"',
    '"na\\\\u006de"',
  ])('finds nothing at %s', (json) => {
    expect(found(json)).toBeUndefined();
  });

  it('agrees with JSON.parse about what a key is', () => {
    fc.assert(
      fc.property(fc.array(jsonString, { minLength: 1 }), fc.nat(), (strings, choice) => {
        const keys = strings.map((json) => JSON.parse(json) as string);
        const paths = keys.filter((key) => key !== '' && !key.includes('.') && !/\p{Surrogate}/u.test(key));
        const nodes = keyPaths([...new Set(paths)].slice(0, 30));
        const json = strings[choice % strings.length] ?? '""';
        const line = Buffer.from(json);
        const expected = nodes.find((node) => node.key === JSON.parse(json));
        expect(findKey(nodes, line, 1, line.length - 1)).toBe(expected);
      }),
      propertyRuns(150),
    );
  });
});
