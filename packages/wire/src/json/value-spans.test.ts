import { describe, expect, it } from 'vitest';

import { EACH, valuePaths, valueSpans } from './value-spans.js';

/** The values that are found in the JSON text `json`, which stands amid other text: path and text of each. */
function found(json: string, ...paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const line = Buffer.from(`{"é":${json}}`);
  const within = { start: Buffer.byteLength('{"é":'), end: line.length - 1 };
  return valueSpans(line, within, valuePaths(paths)).map(({ path, span }) => [
    path,
    line.toString('utf8', span.start, span.end),
  ]);
}

describe('the values at paths', () => {
  it('S1: are found in every element of an array, in the order of the text', () => {
    const json = '{"content":[{"uri":"a"},7,{"x":{"uri":"no"}},{"uri" : "b" }],"uri":"no"}';
    expect(found(json, ['content', EACH, 'uri'])).toEqual([
      ['content.[].uri', '"a"'],
      ['content.[].uri', '"b"'],
    ]);
  });

  it('are of any type, and as they were written', () => {
    const json = '{"a":1.0,"b":null,"c":[ 1 ],"d":{"e":"\\u00e9"}}';
    expect(found(json, ['a'], ['b'], ['c'], ['d'])).toEqual([
      ['a', '1.0'],
      ['b', 'null'],
      ['c', '[ 1 ]'],
      ['d', '{"e":"\\u00e9"}'],
    ]);
  });

  it('may lie inside each other: the inner one ends first, and comes first', () => {
    expect(found('{"a":{"b":1}}', ['a'], ['a', 'b'])).toEqual([
      ['a.b', '1'],
      ['a', '{"b":1}'],
    ]);
  });

  it('S10: may have dots and slashes in their keys, and escapes', () => {
    const json = '{"_meta":{"ui/resourceUri":1,"io.x/y":{"t\\u0061skId":2}}}';
    expect(found(json, ['_meta', 'ui/resourceUri'], ['_meta', 'io.x/y', 'taskId'])).toEqual([
      ['_meta.ui/resourceUri', '1'],
      ['_meta.io.x/y.taskId', '2'],
    ]);
  });

  it('are both found when a key stands twice', () => {
    expect(found('{"a":1,"a":2}', ['a'])).toEqual([
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  it.each([
    ['"text"', ['a']],
    ['[{"a":1}]', ['a']],
    ['{"a":[1]}', ['a', 'b']],
    ['{"a":{"b":1}}', ['a', EACH, 'b']],
    ['{}', ['a']],
    ['{"b":{"a":1}}', ['a']],
  ])('are not there in %s at %j', (json, path) => {
    expect(found(json, path)).toEqual([]);
  });

  it('are elements of arrays of arrays, too', () => {
    expect(found('[[1],2,[3,4]]', [EACH, EACH])).toEqual([
      ['[].[]', '1'],
      ['[].[]', '3'],
      ['[].[]', '4'],
    ]);
  });
});
