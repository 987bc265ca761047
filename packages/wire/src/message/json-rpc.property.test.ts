import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonString } from '@mcpmux/testing/arbitrary-json';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import {
  ErrorCode,
  errorLine,
  NULL_ID,
  notificationLine,
  requestLine,
  resultBytesLine,
  resultLine,
} from './json-rpc.js';
import { keyPaths } from '../json/key-paths.js';
import { readMessage } from './message-reader.js';
import { inOnePiece } from '../splice/splice.js';
import type { RawId } from './request-id.js';

const ID = '"a\\u0062"' as RawId;

describe('ErrorCode', () => {
  it('holds the codes of JSON-RPC 2.0, and of the range beyond them the three that 2026-07-28 defines', () => {
    expect(ErrorCode).toEqual({
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
      HeaderMismatch: -32020,
      MissingCapability: -32021,
      UnsupportedVersion: -32022,
    });
  });
});

describe('the lines that mcpmux writes', () => {
  it('give an id back as it was written', () => {
    expect(resultLine(ID, '{}').toString()).toBe('{"jsonrpc":"2.0","id":"a\\u0062","result":{}}\n');
    expect(resultLine('12345678901234567890' as RawId, '1.0').toString()).toBe(
      '{"jsonrpc":"2.0","id":12345678901234567890,"result":1.0}\n',
    );
  });

  it('carry a large result as the bytes that it is', () => {
    const result = Buffer.concat([Buffer.from('{"tools":["'), Buffer.of(0xff, 0xc3), Buffer.from('"]}')]);
    const line = inOnePiece(resultBytesLine(ID, result));
    expect(line).toEqual(
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"a\\u0062","result":'), result, Buffer.from('}\n')]),
    );
  });

  it('carry an error with its data, or without', () => {
    const error = { code: ErrorCode.InvalidParams, message: 'Unknown tool "x"\n', data: { server: 'a' } };
    expect(errorLine(ID, error).toString()).toBe(
      '{"jsonrpc":"2.0","id":"a\\u0062","error":{"code":-32602,"message":"Unknown tool \\"x\\"\\n","data":{"server":"a"}}}\n',
    );
    expect(errorLine(NULL_ID, { code: ErrorCode.ParseError, message: 'm' }).toString()).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}\n',
    );
  });

  it('leave params out when there are none', () => {
    expect(requestLine(1, 'ping').toString()).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(requestLine(2, 'x', { a: [1] }).toString()).toBe(
      '{"jsonrpc":"2.0","id":2,"method":"x","params":{"a":[1]}}\n',
    );
    expect(notificationLine('n').toString()).toBe('{"jsonrpc":"2.0","method":"n"}\n');
    expect(notificationLine('n', {}).toString()).toBe('{"jsonrpc":"2.0","method":"n","params":{}}\n');
    expect(notificationLine('n', null).toString()).toBe('{"jsonrpc":"2.0","method":"n","params":null}\n');
  });

  it('are one line each, whatever text is in them, and read back as what they are', () => {
    const text = fc.oneof(
      jsonString.map((json) => JSON.parse(json) as string),
      anyText(),
    );
    fc.assert(
      fc.property(text, jsonString, (value, id) => {
        const lines = {
          request: requestLine(1, value, { value }),
          notification: notificationLine(value, value),
          response: resultLine(id as RawId, JSON.stringify({ value })),
          error: errorLine(id as RawId, { code: ErrorCode.InternalError, message: value, data: value }),
        };
        for (const [kind, line] of Object.entries(lines)) {
          expect(line.indexOf('\n')).toBe(line.length - 1);
          expect(readMessage(line, keyPaths([])).kind).toBe(kind === 'error' ? 'response' : kind);
        }
      }),
      propertyRuns(25),
    );
  });
});
