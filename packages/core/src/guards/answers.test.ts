import { describe, expect, it } from 'vitest';

import { splicedLine } from '@mcpmux/wire';
import { LineAnswer } from './answers.js';

describe('the answer that guards see', () => {
  it.each([10, 10_000])('stays what it is, with a text of %d bytes, when the next line is read', (length) => {
    const line = `{"jsonrpc":"2.0","id":7,"result":{"text":"${'x'.repeat(length)}"}}`;
    const memory = Buffer.alloc(line.length);
    memory.write(line);
    const borrowed = memory.subarray(0, line.length);
    const answer = new LineAnswer(splicedLine(borrowed, [{ span: { start: 22, end: 23 }, bytes: '"a"' }]));
    memory.fill('#', 0, line.length);
    expect([answer.kind, answer.isToolError, answer.bytes]).toEqual(['result', false, line.length + 3]);
    expect(JSON.parse(answer.json.toString())).toEqual({ text: 'x'.repeat(length) });
  });
});
