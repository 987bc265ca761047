import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonValue } from '@mcpmux/testing/arbitrary-json';
import { streamPairs, WIDE_LIMITS } from '../testing/channel-kinds.js';
import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { chunkedBytes } from '@mcpmux/testing/chunked';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { keyPaths } from './key-paths.js';
import { readMessage } from '../message/message-reader.js';
import { StreamChannel } from '../channel/stream-channel.js';

/** The lines that arrive when the peer sends `bytes` in pieces of the given sizes, each in a write of its own. */
async function arriving(bytes: Buffer, sizes: readonly number[]): Promise<Buffer[]> {
  const [{ input, output }, peer] = streamPairs();
  const recorder = new ChannelRecorder();
  const lines: Buffer[] = [];
  recorder.line = (line) => lines.push(line);
  new StreamChannel({ input, output }, WIDE_LIMITS).open(recorder);
  for (const chunk of chunkedBytes(bytes, sizes)) {
    peer.output.write(chunk);
    await nextTurn();
  }
  peer.output.end();
  await recorder.waitUntilEnded();
  return lines;
}

const texts = (lines: readonly Buffer[]) => lines.map((line) => line.toString('utf8'));
const read = (line: Buffer | undefined) => readMessage(line ?? Buffer.alloc(0), keyPaths([]));

describe('text on the wire', () => {
  it('B9: is the same when it comes one byte at a time', async () => {
    const text = '{"text":"aé日\u{1F600}\u{10FFFF}"}';
    expect(texts(await arriving(Buffer.from(`${text}\r\n${text}\n`), [1]))).toEqual([text, text]);
  });

  it('B9: is the same wherever it is cut', async () => {
    const wholeLine = jsonValue.map((json) => json.replace(/[\r\n]/g, ' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(wholeLine, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1 }),
        async (lines, sizes) => {
          expect(texts(await arriving(Buffer.from(`${lines.join('\n')}\n`), sizes))).toEqual(lines);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(['\u2028', '\u2029', '\u0085', '\v', '\f', '\x1C', '\x1E'])(
    'B10: is not broken into lines at %j',
    async (character) => {
      const line = `{"text":"one${character}two"}`;
      expect(texts(await arriving(Buffer.from(`${line}\n${line}\n`), [1]))).toEqual([line, line]);
    },
  );

  it.each(['\u2028', '\u2029', '\u0085', '\x7F', '\u009F', '\uFEFF', '\uFFFF'])(
    'B10, B11: may hold %j raw in a string',
    async (character) => {
      const [line] = await arriving(Buffer.from(`{"jsonrpc":"2.0","method":"a${character}b"}\n`), [1]);
      expect(read(line)).toMatchObject({ kind: 'notification', method: `a${character}b` });
    },
  );

  it('B11: may hold NUL in a string when it is escaped, and not raw', async () => {
    const [escaped, raw, next] = await arriving(
      Buffer.from('{"method":"a\\u0000b"}\n{"method":"a\0b"}\n{"method":"next"}\n'),
      [1],
    );
    expect(read(escaped)).toMatchObject({ kind: 'notification', method: 'a\0b' });
    expect(read(raw)).toMatchObject({ kind: 'malformed', isJson: false });
    expect(read(next)).toMatchObject({ kind: 'notification', method: 'next' });
  });

  it('B8: arrives byte for byte when it is no UTF-8', async () => {
    const invalid = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xe6]);
    const line = Buffer.concat([Buffer.from('{"method":"x","params":"'), invalid, Buffer.from('"}')]);
    const [received] = await arriving(Buffer.concat([line, Buffer.from('\n')]), [1]);
    expect(received?.equals(line)).toBe(true);
    expect(read(received)).toMatchObject({ kind: 'notification', method: 'x' });
  });
});
