import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { startProcess, type StartedProcess } from '../testing/started-process.js';
import type { ProcessExit } from './process-spec.js';
import type { StopTimings } from './stop-ladder.js';

const GONE_MS = 5000;
const WAIT = { timeout: 10_000, interval: 10 };
/** Short, so that the tests are; the order of the rungs is shown with a clock of its own. */
const SHORT: StopTimings = { eofGraceMs: 300, termGraceMs: 300 };
const PATIENT: StopTimings = { eofGraceMs: 60_000, termGraceMs: 60_000 };

/** The end of a server that mcpmux ends. On Windows taskkill does so, whose servers have an exit code and no signal. */
function endedBy(signal: NodeJS.Signals): ProcessExit {
  return process.platform === 'win32' ? { exitCode: 1, signal: null } : { exitCode: null, signal };
}

function start(fixture: FixtureName, lifeline: Lifeline): Promise<StartedProcess> {
  return startProcess({ ...fixtureCommand(fixture), env: { LIFELINE: lifeline.address } });
}

describe('stopping a server', () => {
  it.each<[FixtureName, number, ProcessExit]>([
    ['never-initialize', 1, { exitCode: 0, signal: null }],
    ['ignore-eof', 1, endedBy('SIGTERM')],
    ['ignore-sigterm', 1, endedBy('SIGKILL')],
    ['tree', 3, { exitCode: 0, signal: null }],
    ['setsid-escapee', 2, { exitCode: 0, signal: null }],
  ])('F1, F2, F4, F5: leaves nothing of %s', async (fixture, processes, exit) => {
    await using lifeline = await Lifeline.open();
    await using started = await start(fixture, lifeline);
    await lifeline.waitForAlive(processes);
    await started.process.stop(SHORT);
    await expect(started.exited).resolves.toEqual(exit);
    await lifeline.waitForAllGone(GONE_MS);
    expect(started.exits).toEqual([exit]);
  });

  it.skipIf(process.platform === 'win32')(
    'M7, F2: graceful shutdown closes stdin, sends SIGTERM, then SIGKILL',
    async () => {
      await using lifeline = await Lifeline.open();
      const clock = new ManualClock();
      await using started = await startProcess(
        { ...fixtureCommand('ignore-sigterm'), env: { LIFELINE: lifeline.address } },
        { clock },
      );
      await lifeline.waitForAlive(1);
      void started.process.stop({ eofGraceMs: 2000, termGraceMs: 2000 });
      await vi.waitUntil(() => started.stderr.includes('stdin has ended, going on'), WAIT);
      clock.advance(2000);
      await vi.waitUntil(() => started.stderr.includes('SIGTERM received, going on'), WAIT);
      clock.advance(1999);
      expect(started.process.exit).toBeUndefined();
      clock.advance(1);
      await expect(started.exited).resolves.toEqual({ exitCode: null, signal: 'SIGKILL' });
      expect(started.stderr).toEqual(['stdin has ended, going on', 'SIGTERM received, going on']);
    },
  );

  it('is hastened by a second call', async () => {
    await using lifeline = await Lifeline.open();
    await using started = await start('ignore-sigterm', lifeline);
    await lifeline.waitForAlive(1);
    const first = started.process.stop(PATIENT);
    await started.process.stop({ eofGraceMs: 0, termGraceMs: 0 });
    await first;
    await expect(started.exited).resolves.toEqual(endedBy('SIGKILL'));
  });

  it.runIf(process.platform !== 'win32')('F3: ends one that is suspended', async () => {
    await using lifeline = await Lifeline.open();
    await using started = await start('ignore-eof', lifeline);
    await lifeline.waitForAlive(1);
    process.kill(started.process.pid, 'SIGSTOP');
    await started.process.stop(SHORT);
    await expect(started.exited).resolves.toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('resolves at once when it has gone already', async () => {
    await using started = await startProcess({ command: process.execPath, args: ['-e', ''] });
    await started.exited;
    await started.process.stop(PATIENT);
    expect(started.exits).toEqual([{ exitCode: 0, signal: null }]);
  });

  it('F5: resolves only when its left-overs are gone, also those that ignore SIGTERM', async () => {
    await using lifeline = await Lifeline.open();
    const [program = ''] = fixtureCommand('ignore-sigterm').args;
    const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], { stdio: 'inherit' });
      process.stdin.on('end', () => process.exit(0)).resume()`;
    await using started = await startProcess({
      command: process.execPath,
      args: ['-e', script],
      env: { LIFELINE: lifeline.address },
    });
    await lifeline.waitForAlive(1);
    await started.process.stop({ eofGraceMs: 2000, termGraceMs: 300 });
    await lifeline.waitForAllGone(GONE_MS);
    await expect(started.exited).resolves.toEqual({ exitCode: 0, signal: null });
  });
});
