import { describe, expect, it } from 'vitest';

import { sliceAmid } from '../testing/slice-amid.js';
import { keyPaths } from './key-paths.js';
import { readMessage, stringAt, type Message } from './message.js';
import type { Span } from './span.js';

const PATHS = keyPaths(['name', 'cursor', 'requestId', '_meta.progressToken', 'ref.name', 'ref.uri']);

/** A message with the bytes at its spans in place of the spans. */
function read(text: string | Buffer): Record<string, unknown> {
  // in the middle of other memory: an offset into the wrong buffer would show
  const line = sliceAmid(Buffer.from(text), 3);
  const at = (span: Span | undefined) => span && line.toString('utf8', span.start, span.end);
  const message: Message = readMessage(line, PATHS);
  switch (message.kind) {
    case 'request':
    case 'notification': {
      const params = Object.fromEntries([...message.params].map(([path, span]) => [path, at(span)]));
      return { ...message, ...('id' in message && { id: at(message.id) }), params };
    }
    case 'response':
      return { ...message, id: at(message.id), result: at(message.result), error: at(message.error) };
    case 'malformed':
      return { ...message, id: at(message.id) };
  }
}

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
    expect(read(text)).toEqual({ kind: 'response', id: '"a"', result, error });
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

describe('a malformed message', () => {
  it.each([
    ['an array: batches are not supported', '[{"jsonrpc":"2.0","id":1,"method":"x"}]'],
    ['a string', '"id"'],
    ['a number', '1'],
    ['an empty object', '{}'],
    ['an object of something else', '{"level":"info","msg":"started"}'],
    ['without a method or an id', '{"jsonrpc":"2.0","params":{}}'],
    ['without a method or an id, but with a result', '{"jsonrpc":"2.0","result":1}'],
  ])('is JSON that is %s', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'malformed', isJson: true, id: undefined });
  });

  it.each(['1', 'null', '{}', '["ping"]', 'true'])(
    'is one with the method %s, and keeps its id',
    (method) => {
      expect(read(`{"jsonrpc":"2.0","method":${method},"id":5}`)).toEqual({
        kind: 'malformed',
        problem: 'method is not a string',
        isJson: true,
        id: '5',
      });
    },
  );

  it('is one that is no JSON, with its id when that stood before the damage', () => {
    expect(read('{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":\0}}')).toMatchObject({
      kind: 'malformed',
      isJson: false,
      id: '5',
    });
    expect(read('{"jsonrpc":"2.0","method":"x","params":{"a":"\0"},"id":5}')).toMatchObject({
      kind: 'malformed',
      problem: 'a raw control character in a string at byte 45',
      isJson: false,
      id: undefined,
    });
    expect(read('server started')).toMatchObject({ kind: 'malformed', isJson: false, id: undefined });
    expect(read('{"id":1,"method":"x"} trailing')).toMatchObject({
      kind: 'malformed',
      isJson: false,
      id: '1',
    });
    expect(read('')).toMatchObject({ kind: 'malformed', isJson: false, id: undefined });
  });

  it('B22: is one that nests too deeply, with its id on either side of the depth', () => {
    const deep = '{"a":['.repeat(200) + ']}'.repeat(200);
    const malformed = {
      kind: 'malformed',
      isJson: true,
      id: '5',
      problem: expect.stringContaining('deeper than 256'),
    };
    expect(read(`{"jsonrpc":"2.0","id":5,"method":"x","params":${deep}}`)).toMatchObject(malformed);
    expect(read(`{"method":"x","params":{"name":"a","x":${deep}},"jsonrpc":"2.0","id":5}`)).toMatchObject(
      malformed,
    );
    expect(read(`{"result":${deep},"jsonrpc":"2.0","id":5}`)).toMatchObject(malformed);
    expect(read('['.repeat(1_000_000))).toMatchObject({ kind: 'malformed', isJson: true, id: undefined });
    expect(read('{"id":'.repeat(300_000))).toMatchObject({ kind: 'malformed', isJson: true, id: undefined });
  });

  it.each(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])(
    'B25: is one in which "%s" stands twice',
    (key) => {
      const malformed = { kind: 'malformed', isJson: true, problem: `"${key}" stands twice` };
      expect(
        read(`{"jsonrpc":"2.0","id":1,"method":"x","params":{},"result":0,"error":0,"${key}":"a"}`),
      ).toMatchObject(malformed);
      const escaped = `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
      expect(read(`{"jsonrpc":"2.0","id":1,"method":"x","${key}":1,"${escaped}":{}}`)).toMatchObject({
        kind: 'malformed',
        isJson: true,
      });
    },
  );

  it.each([
    ['name', '"name":1,"name":1'],
    ['name', '"name":1,"x":0,"\\u006eame":2'],
    ['_meta.progressToken', '"_meta":{"progressToken":1,"progressToken":2}'],
    ['_meta', '"_meta":{"progressToken":1},"_meta":{"progressToken":2}'],
    ['_meta', '"_meta":{"progressToken":1},"_meta":{}'],
    ['_meta', '"_meta":{"progressToken":1},"_meta":null'],
    ['_meta', '"_meta":{},"_m\\u0065ta":{"progressToken":1}'],
    ['ref', '"ref":{"name":1},"ref":{"uri":1}'],
  ])('B25: is one in which the wanted param "%s" stands twice: %s', (path, params) => {
    expect(read(`{"jsonrpc":"2.0","id":1,"method":"x","params":{${params}}}`)).toMatchObject({
      kind: 'malformed',
      problem: `"params.${path}" stands twice`,
      isJson: true,
      id: '1',
    });
  });

  it.each([
    'Method',
    'METHOD',
    'method\\u0000',
    '\\u0000method',
    'Id',
    'ID',
    'Params',
    'reſult',
    'JsonRpc',
    'eRRor',
  ])('B25: is one with the key "%s", which some peers take for another', (key) => {
    expect(read(`{"jsonrpc":"2.0","id":1,"method":"x","${key}":"y"}`)).toMatchObject({
      kind: 'malformed',
      isJson: true,
      id: '1',
    });
  });

  it('B25: is none because of keys that stand twice where nothing is wanted', () => {
    expect(
      read(
        '{"jsonrpc":"2.0","id":1,"method":"x","x":1,"x":2,"params":{"name":"a","arguments":{"name":1,"name":2},' +
          '"y":1,"y":2,"Name":"b","_meta":{"a":1,"a":2}}}',
      ),
    ).toMatchObject({ kind: 'request', params: { name: '"a"' } });
    expect(read('{"jsonrpc":"2.0","id":1,"result":{"id":1,"id":2,"method":1,"method":2}}')).toMatchObject({
      kind: 'response',
    });
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
