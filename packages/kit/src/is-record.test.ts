import { describe, expect, it } from 'vitest';

import { isRecord } from './is-record.js';

describe('isRecord', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)], [JSON.parse('{"__proto__":1}')]])(
    'is true of %j',
    (value) => {
      expect(isRecord(value)).toBe(true);
    },
  );

  it.each([[null], [undefined], [[]], [[{}]], ['text'], [1], [true], [() => ({})]])(
    'is false of %j',
    (value) => {
      expect(isRecord(value)).toBe(false);
    },
  );
});
