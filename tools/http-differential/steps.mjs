const call = (id, name, args, more = '') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}${more}}}`;
const nested = (levels) => '['.repeat(levels) + ']'.repeat(levels);

/** Bodies that are answered at once. N stands for an id that no other request has. */
const BODIES = [
  '{"jsonrpc":"2.0","id":N,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"sN","method":"tools/list"}',
  '{"jsonrpc":"2.0","id":N,"method":"unknown/method"}',
  call('N', 'e__echo', '{"message":"hi"}'),
  call('N', 'e__echo', '{"message":"a\\u00e9 日","n":1}'),
  call('N', 'p__count', '{"n":3}', ',"_meta":{"progressToken":N}'),
  call('N', 'p__count', '{"n":2}', ',"_meta":{"progressToken":"tN"}'),
  call('N', 'e__none', '{}'),
  call('N', 'e__echo', '5'),
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999}}',
  '{"jsonrpc":"2.0","id":"nobody","result":{}}',
  '[{"jsonrpc":"2.0","id":N,"method":"ping"},{"jsonrpc":"2.0","id":"bN","method":"ping"}]',
  '[{"jsonrpc":"2.0","id":N,"method":"ping"},{"jsonrpc":"2.0","id":N,"method":"ping"}]',
  '[{"jsonrpc":"2.0","method":"notifications/initialized"}]',
  '[]',
  '{\n  "jsonrpc": "2.0",\r\n  "id": N,\n  "method": "ping"\n}\n',
  '\u{feff}{"jsonrpc":"2.0","id":N,"method":"ping"}',
];

/** Bodies that are no message, or one that mcpmux refuses. */
const BAD_BODIES = [
  '',
  '{',
  'null',
  '5',
  '{}',
  '[5]',
  '{"jsonrpc":"2.0","id":N}',
  '{"jsonrpc":"1.0","id":N,"method":"ping"}',
  '{"id":N,"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":true,"method":"ping"}',
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
  `{"jsonrpc":"2.0","id":"${'x'.repeat(1100)}","method":"ping"}`,
  '{"jsonrpc":"2.0","id":N,"method":7}',
  '{"jsonrpc":"2.0","id":N,"method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":N,"method":"ping","params":{"_meta":[]}}',
  '{"jsonrpc":"2.0","id":N,"method":"ping","params":{"_meta":{"progressToken":{}}}}',
  '{"jsonrpc":"2.0","id":N,"method":"ping","extra":1}',
  '{"jsonrpc":"2.0","id":N,"ID":5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":N,"method":"ping","id":N}',
  '{"jsonrpc":"2.0","id":N,"method":"ping","text":"\n"}',
  '{"jsonrpc":"2.0","id":"nobody","result":5}',
  '{"jsonrpc":"2.0","id":"nobody","error":{"code":1,"message":"no"}}',
  '{"jsonrpc":"2.0","id":N,"method":"initialize","params":{}}',
  '{"jsonrpc":"2.0","id":N,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
  call('N', 'e__echo', `{"message":"deep","a":${nested(300)}}`),
  call('N', 'e__echo', `{"message":"deep","a":${nested(1100)}}`),
  `[${Array(101).fill('{"jsonrpc":"2.0","id":N,"method":"ping"}').join(',')}]`,
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('latin1'),
];

/** Headers in place of the usual ones; undefined leaves a header out. */
const HEADERS = [
  {},
  {},
  {},
  { accept: 'application/json' },
  { accept: '*/*' },
  { accept: undefined },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'text/plain; a=application/json' },
  { 'content-type': undefined },
  { 'content-encoding': 'gzip' },
  { 'mcp-protocol-version': '2025-11-25' },
  { 'mcp-protocol-version': '2025-03-26' },
  { 'mcp-protocol-version': '2026-07-28' },
  { 'mcp-protocol-version': 'nonsense' },
  { 'mcp-session-id': undefined },
  { 'mcp-session-id': '0'.repeat(32) },
  { origin: 'https://a.example' },
  { origin: 'https://evil.example' },
  { host: 'evil.example' },
];

const KINDS = [
  'post',
  'post',
  'post',
  'bad',
  'bad',
  'get',
  'drop',
  'resume',
  'hold',
  'hold-cancel',
  'hold-drop',
  'other',
];

/** The steps of one session. */
export function randomSteps(random) {
  const steps = Array.from({ length: 12 }, () => {
    const kind = random.of(KINDS);
    if (kind === 'post') return { kind, body: random.of(BODIES), headers: random.of(HEADERS) };
    if (kind === 'bad')
      return { kind: 'post', body: random.of(BAD_BODIES), headers: random.of(HEADERS.slice(0, 8)) };
    if (kind === 'get') return { kind, headers: random.of(HEADERS) };
    if (kind === 'other')
      return { kind, method: random.of(['PUT', 'OPTIONS', 'HEAD', 'PATCH']), headers: random.of(HEADERS) };
    return { kind };
  });
  return [
    ...steps,
    { kind: 'delete', headers: random.of(HEADERS.slice(11)) },
    { kind: 'delete', headers: {} },
  ];
}
