import { describe, expect, it } from 'vitest';

import { readText as read } from '../testing/read-text.js';

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

  it.each([',', '[', '"', '-', 'a'])('is one that is flooded with %s, and nothing worse', (byte) => {
    expect(read(`{"jsonrpc":"2.0","id":5,"result":[${byte.repeat(100_000)}]}`)).toMatchObject({
      kind: 'malformed',
      id: '5',
    });
  });

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
    // Which of two a peer would take, nobody knows.
    expect(read(`{"id":5,"method":"x","params":${deep},"id":6}`)).toMatchObject({
      ...malformed,
      id: undefined,
    });
    expect(read('['.repeat(1_000_000))).toMatchObject({ kind: 'malformed', isJson: true, id: undefined });
    expect(read('{"id":'.repeat(300_000))).toMatchObject({ kind: 'malformed', isJson: true, id: undefined });
  });

  it.each(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])(
    'B25: is one in which "%s" stands twice',
    (key) => {
      const malformed = { kind: 'malformed', isJson: true, problem: `"${key}" appears twice` };
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
      problem: `"params.${path}" appears twice`,
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
