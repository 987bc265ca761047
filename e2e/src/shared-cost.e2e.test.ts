import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { RawCli } from './testing/raw-cli.js';
import { median } from './testing/median.js';
import { SharedWindows } from './testing/shared-windows.js';

const ROUNDS = 7;

/** The resident memory of a process, in megabytes. */
function megabytesOf(pid = 0): number {
  const [, kilobytes] = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** The memory of a Node.js that does nothing. */
async function bareMegabytes(): Promise<number> {
  const bare = spawn(NODE, ['-e', 'process.stdin.resume(); console.log(1)']);
  await once(bare.stdout, 'data');
  const megabytes = megabytesOf(bare.pid);
  bare.kill();
  await once(bare, 'exit');
  return megabytes;
}

/** From the start of a window to its answer to `initialize`, in milliseconds. */
async function openMs(open: () => RawCli): Promise<number> {
  const begin = performance.now();
  await using window = open();
  await window.initialize();
  return performance.now() - begin;
}

describe('a window of a shared process that runs', () => {
  it.runIf(process.platform === 'linux')(
    'A13: has a relay of at most 10 MB more than a Node.js that does nothing',
    async () => {
      await using shared = await SharedWindows.open();
      await using first = await shared.window();
      const relays = [megabytesOf(first.child.pid)];
      const bare = [await bareMegabytes()];
      for (let round = 1; round < ROUNDS; round += 1) {
        await using window = await shared.window();
        relays.push(megabytesOf(window.child.pid));
        bare.push(await bareMegabytes());
      }
      expect(median(relays) - median(bare)).toBeLessThan(10);
    },
  );

  it('A13: is initialized within the time of a window without --shared', async () => {
    await using shared = await SharedWindows.open();
    await using first = await shared.window();
    expect(first.messages).toHaveLength(1);
    const { folder: cwd, environment: env } = shared;
    const args = ['serve', '--config', `${cwd}/config.json`];
    const [ofShared, unshared]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ofShared.push(await openMs(() => shared.start()));
      unshared.push(await openMs(() => new RawCli({ args, cwd, env })));
    }
    expect(median(ofShared)).toBeLessThan(median(unshared));
  });
});
