import { describe, expect, it } from 'vitest';

import { accepts, acceptsWalking } from '../testing/accepts-json.js';
import { MAX_JSON_VALUES } from './json-reader.js';
import { readMessage } from '../message/message-reader.js';

describe('the number of values', () => {
  it('B23: may reach a million, and not more, in a text that is skipped or walked', () => {
    const flat = (values: number): Buffer => Buffer.from(`[${'0,'.repeat(values - 2)}0]`);
    for (const isAccepted of [accepts, acceptsWalking]) {
      expect(isAccepted(flat(MAX_JSON_VALUES - 1))).toBe(true);
      expect(isAccepted(flat(MAX_JSON_VALUES + 2))).toBe(false);
    }
  });

  it.each([
    ['before it', '{"id":7,"method":"m","params":[', ']}'],
    ['behind it', '{"method":"m","params":[', '],"id":7}'],
  ])('B23: makes a message malformed whose id stands %s, and the id is found', (_, head, tail) => {
    const line = Buffer.from(`${head}${'[],'.repeat(MAX_JSON_VALUES)}1${tail}`);
    const message = readMessage(line, []);
    expect(message).toMatchObject({ kind: 'malformed', isJson: true });
    expect(message.kind === 'malformed' && message.hints.id).toBe('7');
  });
});
