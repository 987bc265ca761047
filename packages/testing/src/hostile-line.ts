import fc from 'fast-check';

import { jsonObject, jsonValue } from './arbitrary-json.js';
import { mutatedBytes } from './byte-mutation.js';

/** Texts that programs print between messages, or that are hard to parse. */
const CORPUS = [
  'Server listening on stdio',
  'npm notice New major version of npm available!',
  '\u001B[32mready\u001B[0m',
  '\u001B]0;title\u0007{"jsonrpc":"2.0","id":1,"result":{}}',
  '\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}',
  '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]',
  '{"jsonrpc":"2.0","id":1,"id":2,"result":{}}',
  '{"jsonrpc":"2.0","id":"1","result":{}}',
  '{"jsonrpc":"2.0","id":1.0,"result":{}}',
  '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
  '{"jsonrpc":"2.0","Id":1,"i\\u0064":2,"result":{}}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":"x"}}',
  '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"a":1},"constructor":null}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
  '{"a":1e400,"b":-0,"c":1.0,"d":12345678901234567890,"e":"\\ud800","f":"\\u0000"}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
  `{"id":1,"result":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
  '{"id":1,"result":"\u0000"}',
  "{'id':1}",
  '{"id":1,}',
  '{"id":01}',
  '// {"id":1}',
  'null',
  '""',
  '{}',
] as const;

const messageText = fc.oneof(
  fc.constantFrom(...CORPUS),
  jsonValue,
  jsonObject.map((members) => `{"jsonrpc":"2.0","id":1,"result":${members}}`),
  jsonObject.map((members) => `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":${members}}`),
);

/** Generates the beginning of one text followed by the end of another. */
const splicedBytes = fc
  .tuple(messageText, messageText, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([a, b, cut]) =>
    Buffer.concat([
      Buffer.from(a).subarray(0, Math.floor(cut * Buffer.byteLength(a))),
      Buffer.from(b).subarray(Math.floor(cut * Buffer.byteLength(b))),
    ]),
  );

/** Generates one line without newlines: a damaged message, random text, or sometimes a valid message. */
export const hostileLine: fc.Arbitrary<Buffer> = fc
  .oneof(
    { weight: 2, arbitrary: messageText.map((text) => Buffer.from(text)) },
    { weight: 4, arbitrary: mutatedBytes(messageText) },
    { weight: 2, arbitrary: splicedBytes },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  )
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)));

/** Counts the outcomes of a fuzzer's lines, so that a test fails if all lines have the same outcome. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(outcome: string): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }

  /** Returns the share of one outcome, between 0 and 1. */
  share(outcome: string): number {
    const total = [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    return (this.counts.get(outcome) ?? 0) / total;
  }
}
