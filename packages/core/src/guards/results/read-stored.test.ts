import { describe, expect, it } from 'vitest';

import { decodeText } from './shortened-result.js';
import { parsePath, selectValues } from './json-path.js';
import { jsonShape } from './json-shape.js';
import { readStoredResult } from './read-stored.js';
import { ResultStore } from './result-store.js';

function stored(text: string) {
  return { principal: 'a', parts: [Buffer.from(text)] };
}

describe('a stored text', () => {
  it('is read whole by its pages, whatever characters are in it', async () => {
    const text = 'aé日😀\n'.repeat(500);
    let read = '';
    for (let page = 1; ; page += 1) {
      const answer = await readStoredResult(stored(text), { page }, 101);
      if ('problem' in answer) break;
      read += answer.text;
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(104);
    }
    expect(read).toBe(text);
  });

  it('is searched by lines, in any case', async () => {
    const answer = await readStoredResult(stored('one\nTwo\nthree two\n'), { grep: 'two' }, 1000);
    expect(answer).toMatchObject({ text: '2: Two\n3: three two\n', pages: 1 });
  });

  it('is searched in turns with everything else, however long a line is', async () => {
    const line = `${'é'.repeat(4 * 1024 * 1024)}needle${'x'.repeat(4 * 1024 * 1024)}`;
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const answer = await readStoredResult(stored(line), { grep: 'NEEDLE' }, 10_000);
    isOver = true;
    expect(answer).toMatchObject({ text: expect.stringMatching(/^1: …é{500}needlex{494}…\n$/), pages: 1 });
    expect(turns).toBeGreaterThan(4);
  });

  it('with a hundred thousand matches tells that there are more', async () => {
    const answer = await readStoredResult(stored('x\n'.repeat(100_001)), { grep: 'x', page: 2 }, 800_000);
    expect(answer).toMatchObject({
      text: expect.stringContaining('100000: x\n… more lines match') as string,
    });
  });

  it.each([
    [{ page: 2 }, 'no page 2'],
    [{ part: 2 }, 'no part 2'],
    [{ grep: 'zzz' }, 'Nothing matches "zzz"'],
    [{ path: '$.a' }, 'no JSON'],
    [{ path: '$[' }, 'is no path'],
    [{ path: 'a'.repeat(1001) }, 'at most 1,000 characters'],
    [{ grep: 'a'.repeat(1001) }, 'at most 1,000 characters'],
  ])('tells what is wrong with %j', async (request, problem) => {
    expect(await readStoredResult(stored('plain'), request, 1000)).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });
});

describe('a stored JSON text', () => {
  const JSON_TEXT = '{"items":[{"id":1.0,"n":"x"},{"id":12345678901234567890,"n":"y"}],"a b":{"c":null}}';

  it.each([
    ['$.items[0].id', '1.0'],
    ['items[1].id', '12345678901234567890'],
    ['$.items[*].n', '["x",\n"y"]'],
    ["$['a b'].c", 'null'],
    ['$.*.c', '[null]'],
    ['$.items[0]', '{"id":1.0,"n":"x"}'],
  ])('is selected from by the path %s, byte for byte', async (path, text) => {
    expect(await readStoredResult(stored(JSON_TEXT), { path }, 1000)).toMatchObject({ text });
  });

  it.each([
    ['that is too long to be read in one turn', `["${'x'.repeat(16 * 1024 * 1024)}"]`, 'longer than 16 MiB'],
    ['of too many values', `[${'1,'.repeat(1_000_000)}1]`, 'a million values'],
  ])('%s is read by no path, and the reason is told', async (_, text, problem) => {
    expect(await readStoredResult(stored(text), { path: '$[0]' }, 1000)).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });

  it('has a shape: types, keys and lengths', () => {
    expect(jsonShape(Buffer.from(JSON_TEXT))).toBe('{items: [2 × {id: number, n: string}], a b: {c: null}}');
    expect(jsonShape(Buffer.from('plain text'))).toBeUndefined();
    expect(jsonShape(Buffer.from('[1'))).toBeUndefined();
  });

  it('is not searched by what is no path', () => {
    expect(parsePath('$.a..b')).toBeUndefined();
    expect(selectValues(Buffer.from('[]'), [{ index: 3 }])).toEqual([]);
  });
});

it.each([
  'plain',
  'a\\nb',
  '\\u00e9\\ud83d\\ude00',
  `${'x'.repeat(1024 * 1024 - 3)}\\ud83d\\ude00\\\\"`.replace('"', ''),
])('the text of a JSON string is decoded as JSON.parse does', async (inner) => {
  const json = Buffer.from(`"${inner}"`);
  const text = await decodeText(json, 1, json.length - 1);
  expect(text.toString('utf8')).toBe(JSON.parse(json.toString('utf8')));
});

describe('the store of results', () => {
  it('has a limit in bytes: the least recently read result goes first', () => {
    const store = new ResultStore(100);
    const add = (): string => store.add({ principal: 'a', parts: [Buffer.alloc(40)] }) ?? '';
    const [first, second] = [add(), add()];
    expect(store.get(first, 'a')).toBeDefined();
    add();
    expect(store.get(second, 'a')).toBeUndefined();
    expect(store.get(first, 'a')).toBeDefined();
    expect(store.totalBytes).toBeLessThanOrEqual(100);
    expect(store.add({ principal: 'a', parts: [Buffer.alloc(101)] })).toBeUndefined();
  });

  it('gives a result to its principal alone', () => {
    const store = new ResultStore(100);
    const handle = store.add({ principal: 'a', parts: [Buffer.from('x')] }) ?? '';
    expect(store.get(handle, 'b')).toBeUndefined();
    expect(store.get('forged', 'a')).toBeUndefined();
  });
});
