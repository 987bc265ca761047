import { describe, expect, it } from 'vitest';

import { LEGACY_VERSIONS } from '../../server/dialect/revisions.js';
import { oversizedLine } from '../../testing/oversized-line.js';
import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

/** Longest id that is taken, in bytes. */
const MAX_ID_BYTES = 1024;

describe('initialize', () => {
  const initialize = (version: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":${version},"capabilities":{}}}`;

  it.each(LEGACY_VERSIONS)('is answered in the version of the client: %s', async (version) => {
    const { result } = await new SessionRig().answerTo(initialize(JSON.stringify(version)));
    expect(result).toMatchObject({ protocolVersion: version });
  });

  it.each(['"2099-01-01"', '"2026-07-28"', '""', '5', 'null', '{}'])(
    'is answered in the newest version when that of the client is unknown: %s',
    async (version) => {
      const { result } = await new SessionRig().answerTo(initialize(version));
      expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
    },
  );

  it('is answered before any server runs, with the capabilities that servers may need later', async () => {
    const starting = runningServer('slow', ['echo']).upstream.nowStarting();
    const { result } = await new SessionRig([starting]).answerTo(initialize('"2025-11-25"'));
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      },
      serverInfo: { name: 'mcpmux', version: '1.2.3' },
      instructions: expect.stringMatching(
        /\{server\}__\{name\}[^]*add_server[^]*reload_server[^]*remove_server[^]*list_servers/,
      ),
    });
  });

  it('is answered without params too', async () => {
    const { result } = await new SessionRig().answerTo('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
  });
});

describe('the id of a request', () => {
  it.each([
    '0',
    '-0',
    '-3',
    '7',
    '9007199254740993',
    '123456789012345678901234567890',
    '1.0',
    '10E-1',
    '1e3',
  ])('B17: comes back byte for byte when it is an integer: %s', async (id) => {
    await expect(new SessionRig().exchange(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).resolves.toEqual([
      `{"jsonrpc":"2.0","id":${id},"result":{}}`,
    ]);
  });

  it.each(['""', '"0"', '"7"', String.raw`"a\u0062\/\"\\"`, '"日本 \u2028"', `"${'x'.repeat(1000)}"`])(
    'B17: comes back byte for byte when it is a string: %s',
    async (id) => {
      await expect(
        new SessionRig().exchange(`{"id":${id} ,"method":"ping","jsonrpc":"2.0"}`),
      ).resolves.toEqual([`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
    },
  );

  it.each(['null', '1.5', '1.50', '15e-1', 'true', '{}', '[1]', `"${'x'.repeat(MAX_ID_BYTES)}"`])(
    'B17: is refused when it is anything else, in an answer without it: %s',
    async (id) => {
      await expect(
        new SessionRig().answerTo(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
      ).resolves.toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: expect.stringMatching(/^id /) },
      });
    },
  );

  it('B18: is refused while a request with it is in flight, which goes on', async () => {
    const { upstream, server } = runningServer('a', ['echo']);
    const rig = new SessionRig([upstream]);
    rig.call('7', 'a__echo');
    for (const second of ['ping', 'tools/call', 'tools/list']) {
      await expect(rig.answerTo(`{"jsonrpc":"2.0","id":7,"method":"${second}"}`)).resolves.toMatchObject({
        id: 7,
        error: { code: -32600, message: 'a request with id 7 is already in flight' },
      });
    }
    expect(server.received.length).toBe(1);
    server.answer(1, '{"content":[]}');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":7,"result":{"content":[]}}']);
    await expect(rig.answerTo('{"jsonrpc":"2.0","id":7,"method":"ping"}')).resolves.toMatchObject({
      result: {},
    });
  });

  it.each([
    ['7', '7.0'],
    ['7.0', '70e-1'],
    ['"a"', String.raw`"\u0061"`],
  ])('B18: %s is in flight also when it is written as %s, and can be cancelled so', async (id, other) => {
    const { upstream, server } = runningServer('a', ['echo']);
    const rig = new SessionRig([upstream]);
    rig.call(id, 'a__echo');
    await expect(rig.exchange(`{"jsonrpc":"2.0","id":${other},"method":"ping"}`)).resolves.toEqual([
      expect.stringContaining('is already in flight'),
    ]);
    rig.cancel(other);
    await rig.exchange();
    expect(server.received.at(-1)).toContain('notifications/cancelled');
    await expect(rig.exchange(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).resolves.toEqual([
      `{"jsonrpc":"2.0","id":${id},"result":{}}`,
    ]);
  });

  it('B18: is not that under which a message is refused that cannot be read', async () => {
    const { upstream, server } = runningServer('a', ['echo']);
    const rig = new SessionRig([upstream]);
    rig.call('7', 'a__echo');
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
    const unreadable = ['"method":"x","method":"x"', `"method":"x","params":${deep}`];
    for (const members of unreadable) {
      await expect(rig.answerTo(`{"jsonrpc":"2.0","id":7,${members}}`)).resolves.toMatchObject({
        id: null,
        error: { code: -32600 },
      });
    }
    server.answer(1, '{}');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":7,"result":{}}']);
  });

  it('is another one when its type is another', async () => {
    const { upstream, server } = runningServer('a', ['echo']);
    const rig = new SessionRig([upstream]);
    rig.call('7', 'a__echo');
    rig.call('"7"', 'a__echo');
    await rig.exchange();
    server.answer(2, '"second"');
    server.answer(1, '"first"');
    await expect(rig.exchange()).resolves.toEqual([
      '{"jsonrpc":"2.0","id":"7","result":"second"}',
      '{"jsonrpc":"2.0","id":7,"result":"first"}',
    ]);
  });
});

describe('a message that is no request', () => {
  it.each([
    ['not json', -32700, null],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"', -32700, null, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}}', -32700, null, 1],
    ['{"method":"tools/call","params":{"name":},"jsonrpc":"2.0","id":"a"}', -32700, null, 'a'],
    ["{'id':1}", -32700, null],
    ['{"id":1,"x":"\u0000"}', -32700, null, 1],
    ['5', -32600, null],
    ['"ping"', -32600, null],
    ['null', -32600, null],
    ['[]', -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]', -32600, null],
    ['{}', -32600, null],
    ['{"jsonrpc":"2.0"}', -32600, null],
    ['{"id":1,"method":"ping"}', -32600, 1],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
    ['{"jsonrpc":2.0,"id":0,"method":"ping"}', -32600, 0],
    ['{"jsonrpc":"2.0","id":3,"method":5}', -32600, 3],
    ['{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', -32600, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/list"}', -32600, 1],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a","name":"b"}}', -32600, 4],
    [`{"jsonrpc":"2.0","id":5,"method":"ping","params":${'['.repeat(5000)}${']'.repeat(5000)}}`, -32600, 5],
  ])(
    'B12, B16, B20, B21, B22, B25: is refused once, with its id where one can be read, and the session goes on: %s',
    async (line, code, id, named?: unknown) => {
      const rig = new SessionRig();
      const data = named === undefined ? {} : { data: { requestId: named } };
      await expect(rig.answerTo(line)).resolves.toEqual({
        jsonrpc: '2.0',
        id,
        error: { code, message: expect.stringMatching(/./), ...data },
      });
      await expect(rig.answerTo('{"jsonrpc":"2.0","id":9,"method":"ping"}')).resolves.toMatchObject({
        id: 9,
      });
    },
  );

  it.each([
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","method":"notifications/unknown","params":[1]}',
    '{"method":"notifications/roots/list_changed"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}',
  ])('gets no answer when it expects none: %s', async (line) => {
    await expect(new SessionRig().exchange(line)).resolves.toEqual([]);
  });

  it('is refused when it is too long, and the session goes on', async () => {
    const rig = new SessionRig([], { limits: { maxLineBytes: 1000 } });
    rig.session.decoder.oversized(oversizedLine('', '', 5000));
    await expect(rig.exchange('{"jsonrpc":"2.0","id":1,"method":"ping"}')).resolves.toEqual([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message of 5000 bytes is above the limit of 1000 bytes"}}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ]);
  });
});

describe('a request that is too long', () => {
  const LIMITS = { limits: { maxLineBytes: 1000 } };
  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call"', 'xxx"}}}', '7'],
    ['{"method":"tools/call","params":{"arguments"', '"}},"jsonrpc":"2.0","id":"a-1"}', '"a-1"'],
    ['{"id":7,"params":{"arguments":{"id":8}', '"}', '7'],
    ['{"method":"tools/call","params":{"arguments"', '"id":8}},"jsonrpc":"2.0","id":7}', '7'],
    ['{"method":"tools/call","id":7,"params":{"arguments":{"id":8}', '"}', '7'],
    ['{"method":"tools/call","params":{"arguments"', '"id":8}},"id":7,"jsonrpc":"2.0"}', '7'],
    ['{"method":"tools/call","params":{"arguments"', '"id":8}},"id":7,"x":1}', 'null'],
    ['{"method":"tools/call","params":{"id":8,"arguments"', '"id":9}}}', 'null'],
    ['{"method":"tools/call","id":7', '8},"x":1}', 'null'],
    ['{"method":"tools/call"', '"}', 'null'],
  ])('B6: is answered with its own id when there is no doubt about it: %s … %s', async (head, tail, id) => {
    const rig = new SessionRig([], LIMITS);
    rig.session.decoder.oversized(oversizedLine(head, tail));
    const [answer = ''] = await rig.exchange('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    expect(answer).toContain(`"id":${id},"error":{"code":-32600`);
  });
});

describe('a request', () => {
  it.each(['tools/Call', 'constructor', '', 'a"b'])('of an unknown method is refused: %s', async (method) => {
    await expect(
      new SessionRig().answerTo(`{"jsonrpc":"2.0","id":"x","method":${JSON.stringify(method)}}`),
    ).resolves.toMatchObject({
      id: 'x',
      error: { code: -32601, message: `Unknown method ${JSON.stringify(method)}` },
    });
  });

  it('is understood however its envelope is written', async () => {
    const line = String.raw`{ "method" : "p\u0069ng" , "x":[{}] , "\u0069d" : 1 , "jsonrpc" : "2.0" }`;
    await expect(new SessionRig().exchange(line)).resolves.toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  });

  it.each([
    '5',
    'null',
    '"x"',
    '[{"name":"own_tool"}]',
    '{}',
    '{"name":5}',
    '{"name":null}',
    '{"Name":"own_tool"}',
  ])('to call a tool needs its name: %s', async (params) => {
    await expect(
      new SessionRig().answerTo(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`),
    ).resolves.toMatchObject({ id: 1, error: { code: -32602, message: 'params.name must be a string' } });
  });
});

describe('tools/list', () => {
  it('is answered with the bytes of the list', async () => {
    const { upstream } = runningServer('a', ['echo']);
    await expect(
      new SessionRig([upstream]).exchange('{"jsonrpc":"2.0","id":"l","method":"tools/list"}'),
    ).resolves.toEqual([
      '{"jsonrpc":"2.0","id":"l","result":{"tools":[{"name":"own_tool"},' +
        '{"name":"a__echo","inputSchema":{"type":"object"}}]}}',
    ]);
  });

  it('is answered with the list of that moment', async () => {
    const upstreams = [runningServer('a', ['echo']).upstream];
    const rig = new SessionRig(upstreams);
    upstreams.push(runningServer('b', ['echo']).upstream);
    const [answer] = await rig.exchange('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}');
    expect(answer).toContain('b__echo');
  });

  it.each(['""', 'null'])('F7: with a cursor that stands for none is answered: %s', async (cursor) => {
    const answer = await new SessionRig().answerTo(
      `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":${cursor}}}`,
    );
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { prompts: [] } });
  });

  it.each(['"page2"', '" "', '5'])(
    'D14: with a cursor is refused, because there is one page: %s',
    async (cursor) => {
      await expect(
        new SessionRig().answerTo(
          `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":${cursor}}}`,
        ),
      ).resolves.toMatchObject({ id: 1, error: { code: -32602 } });
    },
  );
});
