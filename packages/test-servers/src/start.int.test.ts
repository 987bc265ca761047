import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Lifeline } from './index.js';
import { RawDriver } from './testing/raw-driver.js';
import { temporaryFolder } from './testing/temporary-folder.js';

describe('never-initialize', () => {
  it('says what it waits for and ends with its stdin without an answer', async () => {
    await using driver = new RawDriver('never-initialize');
    driver.start('initialize');
    await driver.stderrHas('waiting for a licence key\n');
    driver.end();
    await expect(driver.exit()).resolves.toEqual({ code: 0, signal: null });
    await driver.stdoutEnd();
    expect(driver.lines).toEqual([]);
  });
});

describe('exit-on-start', () => {
  it('exits with code 3 after two lines on stderr', async () => {
    await using driver = new RawDriver('exit-on-start');
    await expect(driver.exit()).resolves.toEqual({ code: 3, signal: null });
    await driver.stderrHas('\nfatal: the configuration has no "token"\n');
    expect(driver.stderr.match(/\n/g)).toHaveLength(2);
  });
});

describe('exit-in-handshake', () => {
  it('exits with code 7 when it gets initialize, after a line on stderr', async () => {
    await using driver = new RawDriver('exit-in-handshake');
    await expect(driver.request('ping')).resolves.toMatchObject({ result: {} });
    driver.start('initialize');
    await expect(driver.exit()).resolves.toEqual({ code: 7, signal: null });
    await driver.stderrHas('fatal: cannot reach the database\n');
  });
});

describe('bad-initialize', () => {
  it('answers initialize without a protocolVersion', async () => {
    await using driver = new RawDriver('bad-initialize');
    const { result } = await driver.initialize();
    expect(Object.keys(result ?? {})).toEqual(['capabilities', 'serverInfo']);
  });
});

describe('slow-start', () => {
  it('answers initialize once the gate file exists, and other requests before', async () => {
    await using folder = await temporaryFolder();
    const gate = join(folder.path, 'gate');
    await using driver = new RawDriver('slow-start', { env: { START_GATE: gate } });
    const initializing = driver.start('initialize', { protocolVersion: '2025-06-18' });
    await expect(driver.request('ping')).resolves.toMatchObject({ result: {} });
    expect(driver.lines).toHaveLength(1);
    await writeFile(gate, '');
    await expect(driver.reply(initializing)).resolves.toMatchObject({
      result: { protocolVersion: '2025-06-18' },
    });
  });

  it('exits when its stdin ends while it waits', async () => {
    await using driver = new RawDriver('slow-start');
    driver.start('initialize');
    driver.end();
    await expect(driver.exit()).resolves.toEqual({ code: 0, signal: null });
  });
});

describe('any raw fixture', () => {
  it('echoes the requested protocol version', async () => {
    await using driver = new RawDriver('env-dump');
    await expect(driver.initialize()).resolves.toMatchObject({
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'env-dump' },
      },
    });
  });

  it('answers an unknown method and an unknown tool with an error', async () => {
    await using driver = new RawDriver('env-dump');
    await expect(driver.request('server/discover')).resolves.toMatchObject({ error: { code: -32601 } });
    await expect(driver.request('tools/call', { name: 'none' })).resolves.toMatchObject({
      error: { code: -32602, message: 'unknown tool: none' },
    });
  });

  it('exits with code 0 when its stdin ends, with a lifeline too', async () => {
    await using lifeline = await Lifeline.open();
    await using driver = new RawDriver('env-dump', { env: { LIFELINE: lifeline.address } });
    await expect(lifeline.waitForAlive(1)).resolves.toEqual([{ role: 'server', pid: driver.pid }]);
    driver.end();
    await expect(driver.exit()).resolves.toEqual({ code: 0, signal: null });
    await lifeline.waitForAllGone(5000);
  });

  it('ends when its lifeline is closed', async () => {
    const lifeline = await Lifeline.open();
    await using driver = new RawDriver('ignore-sigterm', { env: { LIFELINE: lifeline.address } });
    await lifeline.waitForAlive(1);
    await lifeline[Symbol.asyncDispose]();
    await expect(driver.exit()).resolves.toEqual({ code: 0, signal: null });
  });
});
