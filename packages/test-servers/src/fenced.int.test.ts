import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { RawDriver } from './testing/raw-driver.js';
import { temporaryFolder } from './testing/temporary-folder.js';

const WRITERS = 3;
const ROUNDS = 3;
const CALLS = 1000;

function run(store: string, epoch: number): RawDriver {
  return new RawDriver('fenced', { args: [store, 's'], env: { MCPMUX_EPOCH: String(epoch) } });
}

describe('fenced', () => {
  it('refuses the writes of an older epoch than the last one', async () => {
    await using folder = await temporaryFolder();
    const store = join(folder.path, 'store');
    await using old = run(store, 5);
    await expect(old.call('effect', { nonce: 'one' })).resolves.toBe('one');
    await using next = run(store, 6);
    await expect(next.call('effect', { nonce: 'two' })).resolves.toBe('two');
    await expect(old.call('effect', { nonce: 'late' })).resolves.toBe('fenced');
    await expect(next.call('effect', { nonce: 'three' })).resolves.toBe('three');
  });

  it('writes although other runs were killed amid their writes, and every line is whole', async () => {
    await using folder = await temporaryFolder();
    const store = join(folder.path, 'store');
    for (let round = 0; round < ROUNDS; round += 1) {
      const writers = Array.from({ length: WRITERS }, () => run(store, 1));
      for (const writer of writers) {
        const last = Array.from({ length: CALLS }, (_, count) =>
          writer.start('tools/call', { name: 'effect', arguments: { nonce: `n${count}` } }),
        ).at(CALLS / 10);
        await writer.reply(last ?? 0);
      }
      for (const writer of writers) writer.kill('SIGKILL');
      await Promise.all(writers.map((writer) => writer[Symbol.asyncDispose]()));
    }
    await using later = run(store, 1);
    await expect(later.call('effect', { nonce: 'after' })).resolves.toBe('after');
    const lines = readFileSync(store, 'utf8').split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(ROUNDS * WRITERS * (CALLS / 10));
    expect(lines.filter((line) => !/^s 1 \d+ \S+ \d+ \S+$/.test(line))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('notes the other run of its server that is alive', async () => {
    await using folder = await temporaryFolder();
    const store = join(folder.path, 'store');
    const overlaps = (): readonly string[] => readFileSync(store, 'utf8').match(/overlap:\d+/g) ?? [];
    await using first = run(store, 1);
    await first.initialize();
    await using second = run(store, 2);
    await second.initialize();
    expect(overlaps()).toEqual([`overlap:${first.pid}`]);
    for (const driver of [first, second]) {
      driver.end();
      await driver.exit();
    }
    await using third = run(store, 3);
    await third.initialize();
    expect(overlaps()).toHaveLength(1);
  });
});
