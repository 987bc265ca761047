import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { memoryOf } from '../chaos/process-files.js';
import { fixtureServer } from '../testing/fixture-server.js';
import { RawCli } from '../testing/raw-cli.js';
import { report, setting } from './soak-cli.js';

const SECONDS = setting('SOAK_SECONDS', 60);
const SERVERS = ['flood1', 'flood2', 'flood3'];
/** What each call brings back. */
const ANSWER_BYTES = 300_000;
const CALLS_PER_SERVER = 250;
/** The client reads so much in a second at the beginning; the rest at the end, to see that nothing was lost. */
const READS_PER_SECOND = 10;
const MAX_MEGABYTES = 120;

it(`C5, C8: a client reads slowly for ${SECONDS} s while three servers flood: memory is flat and no answer is lost`, async () => {
  await using cli = new RawCli({ args: ['--log-level', 'warn'] });
  await cli.initialize();
  await Promise.all(SERVERS.map((name) => cli.call('add_server', { name, ...fixtureServer('faulty') })));
  const pid = cli.child.pid ?? 0;
  const { stdout } = cli.child;
  const calls = SERVERS.flatMap((name) =>
    Array.from({ length: CALLS_PER_SERVER }, (_, index) =>
      index % 2 === 0
        ? cli.call(`${name}__oversize`, { nonce: 'a', n: ANSWER_BYTES })
        : cli.call(`${name}__flood`, { nonce: `${index}`, n: 1000 }),
    ),
  );
  const peaks: number[] = [];
  for (let second = 0; second < SECONDS; second += 1) {
    for (let read = 0; read < READS_PER_SECOND; read += 1) {
      stdout.pause();
      await delay(1000 / READS_PER_SECOND);
      stdout.resume();
      await new Promise(setImmediate);
    }
    peaks.push(memoryOf(pid).now);
  }
  stdout.resume();
  const answers = await Promise.all(calls);
  const failed = answers.filter(({ error, result }) => error !== undefined || result?.['isError'] === true);
  report('slow client', {
    seconds: SECONDS,
    servers: SERVERS.length,
    answers: answers.length,
    failed: failed.length,
    megabytesPeak: memoryOf(pid).peak,
    megabytesLast: peaks.at(-1) ?? 0,
  });
  expect(failed).toEqual([]);
  expect(memoryOf(pid).peak).toBeLessThan(MAX_MEGABYTES);
});
