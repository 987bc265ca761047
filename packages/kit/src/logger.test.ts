import { describe, expect, it } from 'vitest';

import { guarded, nullLogger, type LogLevel } from './logger.js';

describe('nullLogger', () => {
  it.each<LogLevel>(['error', 'warn', 'info', 'debug'])('wants no records of level %s', (level) => {
    expect(nullLogger.enabled(level)).toBe(false);
  });

  it('takes a record and does nothing with it', () => {
    expect(nullLogger.log('error', 'nobody reads this', { server: 'echo' })).toBeUndefined();
  });

  it('cannot be changed by one mux for another', () => {
    expect(Object.isFrozen(nullLogger)).toBe(true);
  });
});

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
