import { describe, expect, it } from 'vitest';

import { Redactor } from '@mcpmux/kit';
import { nextTurn } from '@mcpmux/testing/next-turn';

import { connected } from '../../testing/connected.js';
import { oversizedLine } from '../../testing/oversized-line.js';

const SECRET = 'Kx9-secretVALUE/+=42zz-QQ';

describe('a line on stdout that is no MCP', () => {
  it.each([
    ['text', 'Error: API_KEY is required'],
    ['a record of a JSON log', '{"level":"fatal","error":"API_KEY is required"}'],
    ['indented text', '  --flag  a flag'],
  ])('is told: %s', async (_, line) => {
    const rig = connected();
    rig.server.send(line);
    await nextTurn();
    expect(rig.stray).toEqual([line]);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it('is told if it is the last one, and has no newline', () => {
    const rig = connected();
    rig.connection.line(Buffer.from('Error: API_KEY is required'), true);
    expect(rig.stray).toEqual(['Error: API_KEY is required']);
  });

  it.each([
    ['half of an answer', '{"jsonrpc":"2.0","id":7,"result":{"content":"of a cl'],
    ['half of a batch', '[{"jsonrpc":"2.0","id":7,"result":"of a cl'],
    ['a message with two ids', '{"jsonrpc":"2.0","id":7,"result":"of a client","id":8}'],
  ])(
    'is not told if it is a broken message, because that may hold the data of a client: %s',
    async (_, line) => {
      const rig = connected();
      rig.server.send(line);
      rig.connection.line(Buffer.from(line), true);
      rig.connection.oversized(oversizedLine(line, 'of a client"}'));
      await nextTurn();
      expect(rig.stray).toEqual([]);
    },
  );

  it('fault H5: is told without what would act on a terminal', async () => {
    const rig = connected();
    rig.server.send('\u001b[31mred\u001b[0m \u0007\u009b2J\u202e');
    await nextTurn();
    expect(rig.stray).toEqual(['red \\u0007\\u009b2J\\u202e']);
  });

  it('is told by its beginning if it is long', async () => {
    const rig = connected();
    rig.server.send('x'.repeat(100_000));
    await nextTurn();
    expect(rig.stray).toEqual(['x'.repeat(1000)]);
  });

  it('fault H4: is told and logged without secrets, wherever it is cut', async () => {
    for (let before = 150; before <= 1010; before += before === 210 ? 740 : 1) {
      const rig = connected({}, new Redactor([SECRET]));
      const text = `${'.'.repeat(before)}${SECRET}${'.'.repeat(99_000)}`;
      rig.server.send(text, text.slice(0, 1100));
      rig.connection.oversized(oversizedLine(text.slice(0, before + 12), 'x'));
      await nextTurn();
      expect(rig.connection.droppedLineCount).toBe(3);
      expect(JSON.stringify([rig.stray, rig.logger.records])).not.toMatch(/Kx9|secret|VALUE|zz-QQ/);
    }
  });
});
