import { Console } from 'node:console';
import { PassThrough } from 'node:stream';

import { describe, expect, it, vi } from 'vitest';

import { asLogger } from './host-logger.js';
import type { LogLevel } from './logger.js';

const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

describe('a logger of the host', () => {
  it('that has what mcpmux needs is used as it is', () => {
    const logger = { enabled: () => true, log: () => undefined };
    expect(asLogger(logger)).toBe(logger);
  });

  it('may be the console: nothing goes to stdout, and records of calls are left out', () => {
    const [error, warn, info, debug, log] = (['error', 'warn', 'info', 'debug', 'log'] as const).map(
      (method) => vi.spyOn(console, method).mockReturnValue(),
    );
    const logger = asLogger(console);
    for (const level of LEVELS) logger.log(level, 'text', { server: 'e' });
    expect(error?.mock.calls).toEqual([['text', { server: 'e' }]]);
    expect(warn?.mock.calls).toHaveLength(3);
    expect([info, debug, log].flatMap((spy) => spy?.mock.calls)).toEqual([]);
    expect(LEVELS.map((level) => logger.enabled(level))).toEqual([true, true, true, false]);
    vi.restoreAllMocks();
  });

  it('may be a console of the host over any stream', () => {
    const stream = new PassThrough();
    const logger = asLogger(new Console({ stdout: stream, stderr: stream, colorMode: false }));
    logger.log('info', 'started', { server: 'e' });
    logger.log('debug', 'plain');
    expect(String(stream.read())).toBe("started { server: 'e' }\nplain\n");
  });

  it('may be pino, which takes the fields first and knows its level', () => {
    const records: unknown[] = [];
    const method = (...record: unknown[]): unknown => records.push(record);
    const pino = {
      bindings: () => ({}),
      isLevelEnabled: (level: string) => level !== 'debug',
      error: method,
      warn: method,
      info: method,
      debug: method,
    };
    const logger = asLogger(pino);
    logger.log('warn', 'text', { server: 'e' });
    logger.log('info', 'plain');
    expect(records).toEqual([
      [{ server: 'e' }, 'text'],
      [{}, 'plain'],
    ]);
    expect([logger.enabled('info'), logger.enabled('debug')]).toEqual([true, false]);
  });

  it('keeps its this', () => {
    class Mine {
      readonly kept: string[] = [];
      error(message: string): void {
        this.kept.push(message);
      }
      readonly warn = (): void => undefined;
      readonly info = (): void => undefined;
      readonly debug = (): void => undefined;
    }
    const mine = new Mine();
    asLogger(mine).log('error', 'text');
    expect(mine.kept).toEqual(['text']);
  });
});
