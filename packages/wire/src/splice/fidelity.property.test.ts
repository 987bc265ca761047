import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonObject, jsonString, jsonValue } from '@mcpmux/testing/arbitrary-json';
import { chunkedBytes } from '@mcpmux/testing/chunked';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { keyPaths } from '../json/key-paths.js';
import { LineFramer } from '../frame/line-framer.js';
import { readMessage } from '../message/message-reader.js';
import { splice } from './splice.js';

const PATHS = keyPaths(['name', '_meta.progressToken']);
const NEW_ID = Buffer.from('1000001');
const NEW_NAME = Buffer.from('"create"');

/** What a peer is sent when a client's call is forwarded to it: framed, read, and with id, name and token replaced. */
function forwarded(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const out: Buffer[] = [];
  const framer = new LineFramer({ line: (line) => out.push(forward(line)), oversized: () => undefined }, 1e9);
  for (const chunk of chunkedBytes(stream, sizes)) framer.push(chunk);
  framer.end();
  return out;
}

function forward(line: Buffer): Buffer {
  const message = readMessage(line, PATHS);
  if (message.kind !== 'request') throw new Error(`not a request but ${JSON.stringify(message)}`);
  const { id, params } = message;
  const [name, token] = [params.get('name'), params.get('_meta.progressToken')];
  return splice(line, [
    { span: id, bytes: NEW_ID },
    ...(name === undefined ? [] : [{ span: name, bytes: NEW_NAME }]),
    ...(token === undefined ? [] : [{ span: token, bytes: NEW_ID }]),
  ]);
}

describe('a forwarded call', () => {
  it('B26, B27: keeps every byte that is not its id, its name or its token', () => {
    const request = (id: string, name: string, token: string) =>
      '{ "extra":{"b":1,"a":2},"params":{"arguments":{"big":12345678901234567890,"one":1.0,"zero":-0,"e":1E+2,' +
      '"huge":1e400,"tiny":0.1000000000000000055511151231257827,"twice":1,"twice":2,"id":7,"name":"x",' +
      `"text":"\\u00e9 é \\/ 日\u2028\u{1F600} \\ud800"},\t"name":${name} ,"_meta":{"z":null,"progressToken":${token},` +
      '"io.example/x":[1.50,{"progressToken":3}]},"unknown":[ ]} ,"method":"tools/call","jsonrpc":"2.0",' +
      `"id" :${id},"__proto__":{"id":9} }`;
    const stream = Buffer.from(`${request('"c\\u006cient-7"', '"github__create"', '"tok\\n"')}\r\n`);
    for (const sizes of [[1], [7, 3], [stream.length]]) {
      const [out] = forwarded(stream, sizes);
      expect(out?.toString('utf8')).toBe(`${request('1000001', '"create"', '1000001')}\n`);
    }
  });

  it('B8: keeps bytes that are no UTF-8', () => {
    const invalid = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
    const request = (id: string) =>
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","method":"x","params":{"a":"'),
        invalid,
        Buffer.from(`"},"id":${id}}`),
      ]);
    const [out] = forwarded(Buffer.concat([request('5'), Buffer.from('\n')]), [3]);
    expect(out).toEqual(Buffer.concat([request('1000001'), Buffer.from('\n')]));
  });

  it('keeps every other byte of arguments, unknown params, _meta and unknown members of any kind', () => {
    const oneLine = (text: fc.Arbitrary<string>) => text.map((json) => json.replace(/[\r\n]/g, ' '));
    const request = fc.record({
      id: fc.oneof(fc.integer().map(String), oneLine(jsonString)),
      name: oneLine(jsonString),
      token: fc.oneof(fc.integer().map(String), oneLine(jsonString)),
      args: oneLine(jsonObject),
      other: oneLine(jsonValue),
      reversed: fc.boolean(),
    });
    const textOf = (parts: {
      id: string;
      name: string;
      token: string;
      args: string;
      other: string;
      reversed: boolean;
    }) => {
      const { id, name, token, args, other, reversed } = parts;
      const meta = [`"x/y":${other}`, `"progressToken":${token}`];
      const params = [
        `"name":${name}`,
        `"arguments":${args}`,
        `"_meta":{${meta.join(' ,')}}`,
        `"more":${other}`,
      ];
      const members = [
        `"id":${id}`,
        '"method":"tools/call"',
        `"params":{${params.join(',')}}`,
        `"more":${other}`,
      ];
      return `{${(reversed ? members.toReversed() : members).join(' , ')}}`;
    };
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (requests, sizes) => {
          const stream = Buffer.from(requests.map((parts) => `${textOf(parts)}\n`).join(''));
          const expected = requests.map((parts) =>
            Buffer.from(`${textOf({ ...parts, id: '1000001', name: '"create"', token: '1000001' })}\n`),
          );
          expect(forwarded(stream, sizes)).toEqual(expected);
        },
      ),
      propertyRuns(25),
    );
  });
});
