import process from 'node:process';

import { describe, expect, it } from 'vitest';

import { commandOutput } from './testing/command-output.js';
import { fixtureServer } from './testing/fixture-server.js';
import { SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const WAIT = { timeout: 15_000 };
const e = { ...fixtureServer('echo'), mux: { shared: true } };

/** Stops a process, so that it accepts connections and never answers. It goes on, if it is there, with the end of the scope. */
function suspended(pid: number): Disposable {
  process.kill(pid, 'SIGSTOP');
  return {
    [Symbol.dispose]: () => {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It was killed.
      }
    },
  };
}

describe('a shared process that does not answer', () => {
  it(
    'A13: holds no new window: those share a process beside it, and are told',
    { timeout: 60_000 },
    async () => {
      await using shared = await SharedWindows.open({ e });
      await using before = await shared.window();
      await untilListed(before, 'e__echo');
      const [silent = 0] = await shared.processes();
      {
        using _ = suspended(silent);
        await using first = await shared.window();
        await using second = await shared.window();
        for (const window of [first, second]) {
          expect(window.stderr).toContain('a shared mcpmux runs and has not answered for 5 s');
          await untilListed(window, 'e__echo');
          expect(textOf(await window.call('e__echo', { message: 'hi' }))).toBe('hi');
        }
        expect(await shared.processes()).toHaveLength(2);
      }
      expect(textOf(await before.call('e__echo', { message: 'still' }))).toBe('still');
      await using after = await shared.window();
      expect(after.stderr).toBe('');
      await untilListed(after, 'e__echo');
      expect(await shared.processes()).toHaveLength(2);
    },
  );

  it(
    'A13: is shown by status and ended by restart, and its window goes on',
    { timeout: 60_000 },
    async () => {
      await using shared = await SharedWindows.open({ e });
      await using window = await shared.window();
      await untilListed(window, 'e__echo');
      const [silent = 0] = await shared.processes();
      using _ = suspended(silent);
      const env = shared.environment;
      expect(JSON.parse(await commandOutput(['status', '--json'], env))).toMatchObject([
        { pid: silent, silent: true, windows: [] },
      ]);
      const asked = window.call('e__echo', { message: 'lost' });
      expect(JSON.parse(await commandOutput(['restart', '--json'], env))).toEqual([
        { pid: silent, windows: 0 },
      ]);
      expect((await asked).error?.message).toContain('shared mcpmux process ended');
      await untilListed(window, 'e__echo');
      await expect.poll(() => shared.processes(), WAIT).not.toContain(silent);
      expect(await shared.processes()).toHaveLength(1);
    },
  );
});
