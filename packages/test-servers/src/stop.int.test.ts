import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { Lifeline, type FixtureName } from './index.js';
import { RawDriver } from './testing/raw-driver.js';

const GONE_MS = 5000;

const ENDINGS: [title: string, code: number, stop: (driver: RawDriver) => void][] = [
  ['its stdin ends', 0, (driver) => driver.end()],
  ['exit is called', 1, (driver) => void driver.start('tools/call', { name: 'exit' })],
];

/** A fixture in a process group of its own, whose processes are watched by a lifeline. */
async function family(
  name: FixtureName,
): Promise<{ lifeline: Lifeline; driver: RawDriver } & AsyncDisposable> {
  const lifeline = await Lifeline.open();
  const driver = new RawDriver(name, { env: { LIFELINE: lifeline.address }, detached: true });
  const dispose = async (): Promise<void> => {
    await driver[Symbol.asyncDispose]();
    await lifeline[Symbol.asyncDispose]();
  };
  return { lifeline, driver, [Symbol.asyncDispose]: dispose };
}

describe('ignore-eof', () => {
  it('goes on after its stdin has ended and dies on SIGTERM', async () => {
    await using driver = new RawDriver('ignore-eof');
    await driver.initialize();
    driver.end();
    await driver.stderrHas('stdin has ended, going on\n');
    driver.kill('SIGTERM');
    await expect(driver.exit()).resolves.toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('ignore-sigterm', () => {
  it('answers after SIGTERM, goes on after its stdin has ended and dies on SIGKILL', async () => {
    await using driver = new RawDriver('ignore-sigterm');
    await driver.initialize();
    driver.kill('SIGTERM');
    await driver.stderrHas('SIGTERM received, going on\n');
    await expect(driver.request('ping')).resolves.toMatchObject({ result: {} });
    driver.end();
    await driver.stderrHas('stdin has ended, going on\n');
    driver.kill('SIGTERM');
    await driver.stderrHas('going on\nSIGTERM received, going on\n');
    driver.kill('SIGKILL');
    await expect(driver.exit()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });
});

describe.each([
  { name: 'tree', roles: ['grandchild', 'grandchild'] },
  { name: 'setsid-escapee', roles: ['escapee'] },
] as const)('$name', ({ name, roles }) => {
  it('tells the pids of the processes that connect to the lifeline', async () => {
    await using group = await family(name);
    const alive = await group.lifeline.waitForAlive(roles.length + 1);
    const info: { server: number; grandchildren: number[] } = JSON.parse(
      await group.driver.call('spawn_info'),
    );
    expect(info.server).toBe(group.driver.pid);
    expect(new Set([info.server, ...info.grandchildren])).toEqual(new Set(alive.map(({ pid }) => pid)));
    expect(alive.map(({ role }) => role).toSorted()).toEqual([...roles, 'server']);
  });

  it.each(ENDINGS)('leaves grandchildren behind that hold its stdout open when %s', async (_, code, stop) => {
    await using group = await family(name);
    await group.lifeline.waitForAlive(roles.length + 1);
    await group.driver.call('spawn_info');
    stop(group.driver);
    await expect(group.driver.exit()).resolves.toEqual({ code, signal: null });
    await group.lifeline.waitForGone(group.driver.pid, GONE_MS);
    expect(group.lifeline.alive).toHaveLength(roles.length);
    expect(group.driver.stdoutEnded).toBe(false);
    for (const { pid } of group.lifeline.alive) process.kill(pid, 'SIGKILL');
    await group.lifeline.waitForAllGone(GONE_MS);
    await group.driver.stdoutEnd();
  });
});

describe('tree', () => {
  it('dies whole by a signal to its process group', async () => {
    await using group = await family('tree');
    await group.lifeline.waitForAlive(3);
    process.kill(-group.driver.pid, 'SIGKILL');
    await expect(group.lifeline.waitForAllGone(GONE_MS)).resolves.toBeUndefined();
  });
});

describe('setsid-escapee', () => {
  it('has a grandchild that survives a signal to the process group', async () => {
    await using group = await family('setsid-escapee');
    await group.lifeline.waitForAlive(2);
    process.kill(-group.driver.pid, 'SIGKILL');
    await group.lifeline.waitForGone(group.driver.pid, GONE_MS);
    expect(group.lifeline.alive).toMatchObject([{ role: 'escapee' }]);
  });
});
