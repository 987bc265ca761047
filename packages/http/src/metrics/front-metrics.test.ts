import { expect, it } from 'vitest';

import { hasResult, outcomeOf } from './front-metrics.js';

const long = `"${'an Error", or an "error" in a text '.replaceAll('"', '\\"').repeat(500)}"`;

it.each([
  ['ok', '{"result":{},"jsonrpc":"2.0","id":1}'],
  ['ok', `{"jsonrpc":"2.0","id":"a","result":{"structuredContent":{"error":${long},"TypeError":1}}}`],
  ['ok', `{"id":"result","jsonrpc":"2.0","result":{"isError":false,"content":${long}}}`],
  ['ok', '{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"isError":true}}}'],
  ['tool_error', `{"result":{"content":${long},"isError":true},"jsonrpc":"2.0","id":1}`],
  ['tool_error', `{"id":1,"result":{"isError":true,"content":${long}},"jsonrpc":"2.0"}`],
  ['tool_error', `{ "jsonrpc": "2.0", "id": -1, "result": { "isError" : true } }`],
  ['error', `{"jsonrpc":"2.0","id":"result","error":{"code":1,"message":"","data":{"result":${long}}}}`],
  ['error', `{"error":{"code":1,"message":${long}},"jsonrpc":"2.0","id":1}`],
])('an answer is told %s, wherever what says so stands: %s', (outcome, line) => {
  expect(outcomeOf(Buffer.from(`${line}\n`))).toBe(outcome);
});

it.each([
  [true, '{"result":{},"jsonrpc":"2.0","id":1}'],
  [true, '{"jsonrpc":"2.0","id":"result","result":{"error":1}}'],
  [false, '{"jsonrpc":"2.0","id":"result","error":{"code":1,"message":"\\"result\\":"}}'],
  [false, '{"error":{"code":1,"message":"","data":{"result":1}},"jsonrpc":"2.0","id":1}'],
  [false, '{ "result" : {} }'],
])(
  'that a response has a result for certain is %s, and an error is never taken for one: %s',
  (certain, line) => {
    expect(hasResult(Buffer.from(line))).toBe(certain);
  },
);
