import { describe, expect, it } from 'vitest';

import { errorAnswer } from './error-answer.js';

const ERROR = '{"code":-32022,"message":"no","data":{"n":12345678901234567890}}';

function answer(body: string): string | undefined {
  return errorAnswer(Buffer.from(body), 7)?.line.toString();
}

describe('the error in the body of a refusal', () => {
  it('is the answer as it came where it has the id of the request', () => {
    const body = `{"id":7,"x":1,"error":${ERROR},"jsonrpc":"2.0"}`;
    expect(answer(body)).toBe(body);
  });

  it.each(['"id":null,', '"id":"other",', ''])('gets the id of the request where it has %j', (id) => {
    expect(answer(`{"jsonrpc":"2.0",${id}"error":${ERROR}}`)).toBe(
      `{"jsonrpc":"2.0","id":7,"error":${ERROR}}`,
    );
  });

  it('has a code', () => {
    expect(errorAnswer(Buffer.from(`{"jsonrpc":"2.0","id":null,"error":${ERROR}}`), 7)?.code).toBe(-32_022);
  });

  it.each([
    '',
    'not found',
    '<html></html>',
    '{"error":"gone"}',
    '{"error":{"code":404,"message":"the error of another protocol"}}',
    '{"jsonrpc":"2.0","id":7,"error":"gone"}',
    '{"jsonrpc":"2.0","id":7,"error":{"message":"without a code"}}',
    '{"jsonrpc":"2.0","id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","error":{"code":1',
  ])('is none in %j', (body) => {
    expect(answer(body)).toBeUndefined();
  });
});
