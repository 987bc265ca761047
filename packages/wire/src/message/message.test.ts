import { describe, expect, it } from 'vitest';

import { readText as read } from '../testing/read-text.js';
import { paramText, stringAt } from './message.js';

describe('readMessage', () => {
  it('reads a request: where its id and the wanted params stand', () => {
    expect(
      read(
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a__b","arguments":{"name":"inner"},' +
          '"_meta":{"progressToken":"t","x":1}}}',
      ),
    ).toEqual({
      kind: 'request',
      id: '7',
      method: 'tools/call',
      params: { name: '"a__b"', '_meta.progressToken': '"t"' },
      versioned: true,
    });
  });

  it('reads a notification: a method without an id', () => {
    expect(read('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}')).toEqual({
      kind: 'notification',
      method: 'notifications/cancelled',
      params: { requestId: '"r"' },
      versioned: true,
    });
  });

  it.each([
    ['a result', '{"jsonrpc":"2.0","id":"a","result":{"x":[1]}}', '{"x":[1]}', undefined],
    ['an error', '{"jsonrpc":"2.0","id":"a","error":{"code":1}}', undefined, '{"code":1}'],
    ['a null result', '{"jsonrpc":"2.0","id":"a","result":null}', 'null', undefined],
    ['both', '{"id":"a","error":null,"result":1}', '1', 'null'],
    ['neither', '{"jsonrpc":"2.0","id":"a"}', undefined, undefined],
  ])('reads a response with %s, and leaves the judgement to its receiver', (_, text, result, error) => {
    const versioned = text.includes('"jsonrpc":"2.0"');
    expect(read(text)).toEqual({ kind: 'response', id: '"a"', result, error, versioned });
  });

  it('takes the members in any order, and white space anywhere', () => {
    expect(
      read(' { "params" : { "cursor" : "c" } ,\t"method" : "tools/list" , "id" : 1 , "jsonrpc" : "2.0" } \r'),
    ).toMatchObject({
      kind: 'request',
      id: '1',
      method: 'tools/list',
      params: { cursor: '"c"' },
      versioned: true,
    });
  });

  it.each([
    '1',
    '-3',
    '0',
    '1.5',
    'null',
    '""',
    '"7"',
    '{"a":1}',
    '[1]',
    'true',
    '12345678901234567890',
    '1e400',
  ])('reads a message with the id %s, which its receiver has to judge', (id) => {
    expect(read(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toMatchObject({ kind: 'request', id });
    expect(read(`{"jsonrpc":"2.0","id":${id},"result":1}`)).toMatchObject({ kind: 'response', id });
  });

  it.each([
    ['missing', '', false],
    ['"2.0"', '"jsonrpc":"2.0",', true],
    ['"1.0"', '"jsonrpc":"1.0",', false],
    ['a number', '"jsonrpc":2.0,', false],
    ['escaped', '"jsonrpc":"2\\u002e0",', false],
  ])('says whether the version is right when it is %s', (_, member, versioned) => {
    expect(read(`{${member}"id":1,"method":"ping"}`)).toMatchObject({ kind: 'request', versioned });
    expect(read(`{${member}"method":"x"}`)).toMatchObject({ kind: 'notification', versioned });
  });

  it.each([
    ['an array', '[1,2]'],
    ['null', 'null'],
    ['a number', '-0'],
    ['a string', '"name"'],
    ['missing', undefined],
  ])('finds nothing in params that are %s', (_, params) => {
    const member = params === undefined ? '' : `,"params":${params}`;
    expect(read(`{"jsonrpc":"2.0","id":1,"method":"x"${member}}`)).toMatchObject({
      kind: 'request',
      params: {},
    });
  });

  it('finds a wanted value of any type, and only at its own path', () => {
    expect(
      read(
        '{"method":"x","name":"top","_meta":{"progressToken":0},"params":{"name":{"name":1},"progressToken":1,' +
          '"_meta":{"name":2,"progressToken":3.0},"ref":{"uri":null,"ref":{"name":4}},"x":{"cursor":5}}}',
      ),
    ).toMatchObject({ params: { name: '{"name":1}', '_meta.progressToken': '3.0', 'ref.uri': 'null' } });
  });

  it('finds nothing below a wanted object that is something else', () => {
    for (const meta of ['null', '[{"progressToken":1}]', '"progressToken"', '1']) {
      expect(read(`{"method":"x","params":{"_meta":${meta}}}`)).toMatchObject({ params: {} });
    }
  });

  it('knows a key and a method by their meaning, however they are escaped', () => {
    expect(
      read(
        '{"jsonrpc":"2.0","\\u0069d":1,"meth\\u006fd":"tools\\/c\\u0061ll","p\\u0061r\\u0061ms":{"\\u006eame":"a",' +
          '"_\\u006deta":{"progress\\u0054oken":2}}}',
      ),
    ).toMatchObject({
      kind: 'request',
      id: '1',
      method: 'tools/call',
      params: { name: '"a"', '_meta.progressToken': '2' },
    });
  });

  it('B24: takes the names of inherited properties for keys and methods like any other', () => {
    expect(
      read(
        '{"__proto__":{"id":1},"constructor":1,"toString":2,"method":"__proto__","params":{"__proto__":{"name":1}}}',
      ),
    ).toMatchObject({ kind: 'notification', method: '__proto__', params: {} });
  });
});

describe('stringAt', () => {
  const text = (json: string, start = 0) => {
    const line = Buffer.from(json);
    return stringAt(line, { start, end: line.length });
  };

  it('gives the text of a string, escapes resolved', () => {
    expect(text('""')).toBe('');
    expect(text('"日本"')).toBe('日本');
    expect(text('"a\\u0062\\"\\\\\\n\\ud83d\\ude00"')).toBe('ab"\\\n\u{1F600}');
    expect(text('xx"y"', 2)).toBe('y');
  });

  it.each(['1', 'null', 'true', '{}', '[]', '["a"]'])('gives undefined for %s', (json) => {
    expect(text(json)).toBeUndefined();
  });

  it('replaces bytes that are no UTF-8', () => {
    const line = Buffer.from([0x22, 0x61, 0xff, 0xe6, 0x5c, 0x6e, 0x22]);
    expect(stringAt(line, { start: 0, end: line.length })).toBe('a\uFFFD\uFFFD\n');
  });
});

describe('paramText', () => {
  it('is the text at a path of the params, and nothing where there is none or another value', () => {
    const line = Buffer.from(String.raw`{"a":"\u0061b","n":5}`);
    const params = new Map([
      ['a', { start: 5, end: 14 }],
      ['n', { start: 19, end: 20 }],
    ]);
    expect(['a', 'n', 'x'].map((path) => paramText(line, { params }, path))).toEqual([
      'ab',
      undefined,
      undefined,
    ]);
  });
});
