import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { heldBufferBytes } from '../testing/held-memory.js';
import { keyPaths } from './key-paths.js';
import { MessageReader, readMessage } from './message-reader.js';

const WANTED = keyPaths(['name', 'task', '_meta.progressToken']);
const MIB = 1024 * 1024;

/** Lines of every kind: what one of them has, another lacks. */
const LINES = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":7}}}',
  '{"jsonrpc":"2.0","id":2,"method":"ping"}',
  '{"id":3,"method":"ping","params":{"task":{}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","method":"notifications/x","params":{"name":"b"}}',
  '{"jsonrpc":"2.0","id":4,"result":{}}',
  '{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","id":6,"method":"x","params":{"name":"a","name":"b"}}',
  '{"jsonrpc":"2.0","id":7,"id":8,"method":"x"}',
  '{"jsonrpc":"2.0","id":9,"method":"x","params":{"_meta":{"progressToken":1,"progressToken":2}}}',
  '{"jsonrpc":"2.0","id":10,"METHOD":"x"}',
  '{"jsonrpc":"2.0","id":11,"method":"x","params":{"name":',
  '{"jsonrpc":"2.0"}',
  '[1,2]',
  'no JSON',
].map((line) => Buffer.from(line));

describe('MessageReader', () => {
  it('reads each line as if it were the first', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 20 }), (lines) => {
        const reader = new MessageReader(WANTED);
        const fresh = lines.map((line) => readMessage(line, WANTED));
        expect(lines.map((line) => reader.read(line))).toEqual(fresh);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves a message alone when it reads the next', () => {
    const reader = new MessageReader(WANTED);
    const first = reader.read(LINES[0] ?? Buffer.alloc(0));
    const before = structuredClone({ ...first, params: 'params' in first ? [...first.params] : [] });
    for (const line of LINES) reader.read(line);
    expect({ ...first, params: 'params' in first ? [...first.params] : [] }).toEqual(before);
  });

  it('keeps no line alive that it has read', () => {
    const reader = new MessageReader(WANTED);
    const before = heldBufferBytes();
    // in a function of its own: this one would keep the line
    const readLong = (): string =>
      reader.read(Buffer.from(`{"id":1,"result":"${'x'.repeat(5 * MIB)}"}`)).kind;
    expect(readLong()).toBe('response');
    expect(heldBufferBytes() - before).toBeLessThan(MIB);
  });
});
