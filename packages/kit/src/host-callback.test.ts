import { describe, expect, it } from 'vitest';

import { guarded } from './host-callback.js';

describe('a guarded logger', () => {
  it('passes everything on', () => {
    const records: unknown[] = [];
    const logger = guarded({
      enabled: (level) => level === 'warn',
      log: (...record) => void records.push(record),
    });
    logger.log('warn', 'text', { a: 1 });
    expect(records).toEqual([['warn', 'text', { a: 1 }]]);
    expect([logger.enabled('warn'), logger.enabled('debug')]).toEqual([true, false]);
  });

  it('never throws, whatever the logger of the host does', () => {
    const fail = (): never => {
      throw new Error('disk full');
    };
    const logger = guarded({ enabled: fail, log: fail });
    expect(() => logger.log('error', 'text')).not.toThrow();
    expect(logger.enabled('error')).toBe(false);
  });
});
