import { Lifeline } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { descriptorsOf, memoryOf, processesWith, zombiesOf } from '../chaos/process-files.js';
import { fixtureServer } from '../testing/fixture-server.js';
import { RawCli } from '../testing/raw-cli.js';
import { textOf } from '../testing/tool-response.js';
import { forget, report, setting } from './soak-cli.js';

const CYCLES = setting('SOAK_CYCLES', 2000);
/** So many servers come and go at the same time. */
const AT_ONCE = 4;
/** Caches and pools fill up before this many cycles; growth is counted from there. */
const WARM_UP = Math.min(200, CYCLES / 4);
const MAX_GROWTH_MEGABYTES = 20;
const GONE_MS = 5000;

/** A server comes, is called, and goes. */
async function cycle(cli: RawCli, number: number): Promise<void> {
  const name = `s${number % 1000}`;
  await cli.call('add_server', { name, ...fixtureServer('faulty') });
  const answer = await cli.call(`${name}__echo`, { nonce: `${number}`, n: 0 });
  expect(textOf(answer)).toBe(`${number}`);
  await cli.call('remove_server', { name });
}

async function cycles(cli: RawCli, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => cycle(cli, number + index)));
    forget(cli);
  }
}

/** How often the graph of a run has a point. */
const POINTS = 20;

/**
 * Runs the cycles in parts.
 *
 * @returns memory in megabytes, descriptors of mcpmux, and processes of its servers, after each part
 */
async function graph(cli: RawCli, lifeline: Lifeline): Promise<Readonly<Record<string, string>>> {
  const pid = cli.child.pid ?? 0;
  const points: (readonly [megabytes: number, descriptors: number, processes: number])[] = [];
  for (let part = 0; part < POINTS; part += 1) {
    const [from, to] = [part, part + 1].map(
      (at) => WARM_UP + AT_ONCE * Math.round(((CYCLES - WARM_UP) * at) / POINTS / AT_ONCE),
    );
    await cycles(cli, from ?? 0, to ?? 0);
    const processes = processesWith('LIFELINE', lifeline.address).length - 1;
    points.push([memoryOf(pid).now, descriptorsOf(pid), processes]);
  }
  const [megabytes, descriptors, processes] = [0, 1, 2].map((at) =>
    points.map((point) => point[at]).join(' '),
  );
  return { megabytes: megabytes ?? '', descriptors: descriptors ?? '', processes: processes ?? '' };
}

it(`J5, F13: ${CYCLES} servers come and go: no process, no zombie, no descriptor and no memory is left`, async () => {
  await using lifeline = await Lifeline.open();
  await using cli = new RawCli({ args: ['--log-level', 'warn'], env: { LIFELINE: lifeline.address } });
  await cli.initialize();
  const pid = cli.child.pid ?? 0;
  await cycles(cli, 0, WARM_UP);
  const before = { descriptors: descriptorsOf(pid), memory: memoryOf(pid).now };
  const start = performance.now();
  const drawn = await graph(cli, lifeline);
  const seconds = Math.round((performance.now() - start) / 1000);
  await lifeline.waitForAllGone(GONE_MS);
  const after = { descriptors: descriptorsOf(pid), memory: memoryOf(pid).now };
  const left = processesWith('LIFELINE', lifeline.address).filter((each) => each !== pid);
  report('churn', {
    cycles: CYCLES,
    seconds,
    orphans: left.length,
    zombies: zombiesOf(pid).length,
    descriptorsBefore: before.descriptors,
    descriptorsAfter: after.descriptors,
    megabytesBefore: before.memory,
    megabytesAfter: after.memory,
    megabytesPeak: memoryOf(pid).peak,
    ...drawn,
  });
  expect(left).toEqual([]);
  expect(zombiesOf(pid)).toEqual([]);
  expect(Math.abs(after.descriptors - before.descriptors)).toBeLessThanOrEqual(3);
  expect(after.memory - before.memory).toBeLessThan(MAX_GROWTH_MEGABYTES);
});
