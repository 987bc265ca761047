import { describe, expect, it } from 'vitest';

import { RawDriver } from './testing/raw-driver.js';

describe('garbage-stdout', () => {
  it('writes a banner, an empty line, an ANSI line and a BOM before its first answer', async () => {
    await using driver = new RawDriver('garbage-stdout');
    driver.start('initialize', { protocolVersion: '2025-06-18' });
    await driver.until(() => driver.lines[3]);
    const [banner, empty, ansi, first] = driver.lines;
    expect(banner).toMatch(/^Example Server/);
    expect(empty).toBe('');
    expect(ansi).toBe('\u001B[32mready\u001B[0m');
    expect(first).toMatch(/^\uFEFF\{"jsonrpc":"2.0","id":1,"result":/);
  });

  it('writes a line that is not JSON before each tool answer', async () => {
    await using driver = new RawDriver('garbage-stdout');
    driver.start('ping');
    await expect(driver.call('echo', { message: 'one' })).resolves.toBe('one');
    await expect(driver.call('echo', { message: 'two' })).resolves.toBe('two');
    expect(driver.lines[4]).toBe('[info] tool called: echo');
    expect(driver.lines[6]).toBe('[info] tool called: echo');
  });
});

describe('malformed-result', () => {
  it('answers broken with the right id and JSON that breaks off', async () => {
    await using driver = new RawDriver('malformed-result');
    const id = driver.start('tools/call', { name: 'broken' });
    const line = await driver.until(() => driver.lines[0]);
    expect(line).toContain(`{"jsonrpc":"2.0","id":${id},`);
    expect(() => JSON.parse(line)).toThrow(SyntaxError);
  });

  it('answers wrong_envelope with neither result nor error, and good with its text', async () => {
    await using driver = new RawDriver('malformed-result');
    const id = driver.start('tools/call', { name: 'wrong_envelope' });
    await expect(driver.reply(id)).resolves.toEqual({ jsonrpc: '2.0', id });
    await expect(driver.call('good')).resolves.toBe('good');
  });
});

describe('stdin-closer', () => {
  it('closes its stdin after the answer and goes on living', async () => {
    await using driver = new RawDriver('stdin-closer');
    await expect(driver.call('close_stdin')).resolves.toBe('closing stdin');
    await driver.stderrHas('stdin is closed\n');
    driver.start('ping');
    await expect(driver.until(() => driver.stdinError)).resolves.toMatchObject({ code: 'EPIPE' });
    driver.kill('SIGTERM');
    await expect(driver.exit()).resolves.toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('stdout-closer', () => {
  it('closes its stdout after the answer and lives until its stdin ends', async () => {
    await using driver = new RawDriver('stdout-closer');
    await expect(driver.call('close_stdout')).resolves.toBe('closing stdout');
    await driver.stdoutEnd();
    driver.start('ping');
    driver.end();
    await expect(driver.exit()).resolves.toEqual({ code: 0, signal: null });
    expect(driver.lines).toHaveLength(1);
  });
});

describe('oversized', () => {
  it.each([0, 27, 3_000_000])('answers big with one text block of %i letters in one line', async (bytes) => {
    await using driver = new RawDriver('oversized');
    const text = await driver.call('big', { bytes });
    expect(text).toHaveLength(bytes);
    expect(text).toMatch(/^[a-z]*$/);
    expect(driver.lines).toHaveLength(1);
  });
});

describe('stderr-talker', () => {
  it('writes as many lines as asked, the first with control characters, then answers', async () => {
    await using driver = new RawDriver('stderr-talker');
    await expect(driver.call('talk', { lines: 5000 })).resolves.toBe('wrote 5000 lines');
    await driver.stderrHas('line 5000\n');
    const [first, second, ...rest] = driver.stderr.split('\n');
    for (const trick of ['\u001B[31mline 1\u001B[0m', 'bell\u0007', 'nul\u0000', 'back\b', '\rforged']) {
      expect(first).toContain(trick);
    }
    expect(second).toBe('line 2');
    expect(rest).toHaveLength(4999);
  });
});

describe('flood', () => {
  it('sends as many notifications of the given size as asked, then answers', async () => {
    await using driver = new RawDriver('flood');
    const id = driver.start('tools/call', { name: 'flood', arguments: { count: 200, bytes: 20_000 } });
    const last = await driver.until(() => driver.lines[200]);
    expect(last).toContain(`"id":${id},`);
    for (const line of driver.lines.slice(0, 200)) {
      expect(line).toHaveLength(20_000 - 1);
      expect(line).toContain('"method":"notifications/message"');
    }
  });

  it('waits for its client to read, and so answers other requests in between', async () => {
    await using driver = new RawDriver('flood');
    const flooding = driver.start('tools/call', { name: 'flood', arguments: { count: 50, bytes: 20_000 } });
    await driver.request('ping');
    await driver.reply(flooding);
    const pong = driver.lines.findIndex((line) => line.includes('"result":{}'));
    expect(pong).toBeLessThan(50);
  });
});

describe('faulty', () => {
  it('returns its nonce at once, later, behind garbage, and after it has talked', async () => {
    await using driver = new RawDriver('faulty');
    for (const [tool, n] of [
      ['echo', 0],
      ['slow', 1],
      ['garbage', 0],
      ['stderr', 3],
      ['flood', 2],
    ] as const) {
      await expect(driver.call(tool, { nonce: tool, n })).resolves.toBe(tool);
    }
  });

  it('exits with the code that it is told', async () => {
    await using driver = new RawDriver('faulty');
    driver.start('tools/call', { name: 'exit', arguments: { n: 7 } });
    await expect(driver.exit()).resolves.toEqual({ code: 7, signal: null });
  });
});
