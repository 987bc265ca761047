import { describe, expect, it } from 'vitest';

import { nullLogger, type LogLevel } from './logger.js';

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
