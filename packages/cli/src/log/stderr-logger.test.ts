import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { LOG_LEVELS, type LogThreshold } from './log-record.js';
import { StderrLogger } from './stderr-logger.js';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const ALLOWED: readonly (readonly [LogThreshold, readonly string[]])[] = [
  ['silent', []],
  ['error', ['error']],
  ['warn', ['error', 'warn']],
  ['info', ['error', 'warn', 'info']],
  ['debug', ['error', 'warn', 'info', 'debug']],
];

let stderr: string[] = [];
let stdout: string[] = [];

beforeEach(() => {
  stderr = [];
  stdout = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => stderr.push(String(text)) > 0);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => stdout.push(String(text)) > 0);
});

afterEach(() => vi.restoreAllMocks());

describe('the threshold', () => {
  it('can be each of the levels, or silent', () => {
    expect(ALLOWED.map(([threshold]) => threshold)).toEqual(LOG_LEVELS);
  });

  it.each(ALLOWED)('%s lets through %j', async (threshold, allowed) => {
    const logger = new StderrLogger(threshold, 'json');
    await logger.start();
    for (const level of LEVELS) logger.log(level, 'something');
    expect(LEVELS.filter((level) => logger.enabled(level))).toEqual(allowed);
    expect(stderr.map(levelOf)).toEqual(allowed);
  });
});

describe('records before the start', () => {
  it('wait, and are written first and in their order', async () => {
    const logger = new StderrLogger('info', 'json');
    logger.log('info', 'first', { server: 'git' });
    logger.log('debug', 'below the threshold');
    logger.log('error', 'second');
    expect(stderr).toEqual([]);
    await logger.start();
    logger.log('warn', 'third');
    expect(stderr.map(messageOf)).toEqual(['first', 'second', 'third']);
    expect(JSON.parse(stderr[0] ?? '')).toMatchObject({ level: 'info', server: 'git' });
  });

  it('keep the time at which they were made', async () => {
    const logger = new StderrLogger('info', 'json');
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1));
    logger.log('info', 'early');
    now.mockReturnValue(Date.UTC(2027, 0, 1));
    await logger.start();
    expect(JSON.parse(stderr[0] ?? '')).toMatchObject({ time: '2026-01-01T00:00:00.000Z' });
  });
});

it.each(['json', 'pretty'] as const)('writes nothing to stdout in the format %s', async (format) => {
  const logger = new StderrLogger('debug', format);
  await logger.start();
  for (const level of LEVELS) logger.log(level, `at ${level}`, { server: 'git', pid: 12 });
  expect(stdout).toEqual([]);
  for (const level of LEVELS) expect(stderr.join('')).toContain(`at ${level}`);
});

it('shows the server as a prefix to people', async () => {
  const logger = new StderrLogger('info', 'pretty');
  await logger.start();
  logger.log('info', 'started', { server: 'git', pid: 12 });
  expect(stderr.join('')).toMatch(/\bgit\b.*started pid=12/);
});

describe('the format for people', () => {
  it('begins each record with the time of day', async () => {
    const logger = new StderrLogger('info', 'pretty');
    vi.spyOn(Date, 'now').mockReturnValue(new Date(2026, 0, 1, 9, 5, 7).getTime());
    await logger.start();
    logger.log('warn', 'server\ncrashed', { server: 'git\u001B[2J', pid: 12 });
    expect(stderr.join('')).toBe(String.raw`09:05:07 [warn] [git\u001b[2J] server` + '\ncrashed pid=12\n');
  });

  it('leaves out audit records that repeat another record, and keeps those of agents and refusals', async () => {
    const logger = new StderrLogger('info', 'pretty');
    await logger.start();
    logger.log('info', 'audit', { action: 'spawn', outcome: 'done', rule: 'registered' });
    logger.log('info', 'audit', { action: 'add', outcome: 'done', rule: 'host' });
    logger.log('info', 'audit', { action: 'add', outcome: 'done', rule: 'allow' });
    logger.log('info', 'audit', { action: 'reload', outcome: 'done', rule: 'host' });
    expect(stderr.map((line) => line.slice(9))).toEqual([
      '[info] audit action=add outcome=done rule=allow\n',
      '[info] audit action=reload outcome=done rule=host\n',
    ]);
  });

  it('leaves out the end of a start whose report it has written, and no other problem', async () => {
    const logger = new StderrLogger('info', 'pretty');
    await logger.start();
    const problem = 'Server "a" exited with code 3.';
    logger.log('error', `${problem}\n  its last line`, { server: 'a' });
    logger.log('error', 'a server of the config did not start', { server: 'a', problem });
    logger.log('error', 'a server of the config did not start', { server: 'b', problem: 'too many' });
    expect(stderr.map((line) => line.slice(9))).toEqual([
      `[error] [a] ${problem}\n  its last line\n`,
      '[error] [b] a server of the config did not start problem=too many\n',
    ]);
  });

  it('leaves out no record of the log that programs read', async () => {
    const logger = new StderrLogger('info', 'json');
    await logger.start();
    logger.log('info', 'audit', { action: 'spawn', outcome: 'done', rule: 'registered' });
    expect(stderr.map(messageOf)).toEqual(['audit']);
  });
});

function levelOf(line: string): unknown {
  return (JSON.parse(line) as { readonly level: unknown }).level;
}

function messageOf(line: string): unknown {
  return (JSON.parse(line) as { readonly message: unknown }).message;
}

describe('a stderr that nobody reads', () => {
  it('J1: loses records above a mebibyte, and says how many once it is read again', async () => {
    const logger = new StderrLogger('info', 'json');
    await logger.start();
    const unread = vi.spyOn(process.stderr, 'writableLength', 'get').mockReturnValue(1024 * 1024 + 1);
    logger.log('info', 'lost');
    logger.log('info', 'lost too');
    expect(stderr).toEqual([]);
    unread.mockReturnValue(0);
    logger.log('info', 'read');
    expect(stderr.map(messageOf)).toEqual([
      '2 log records were dropped, because stderr was not read',
      'read',
    ]);
  });
});
