import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { ChaosClient } from '../chaos/chaos-client.js';
import { memoryOf } from '../chaos/process-files.js';
import { fixtureServer } from '../testing/fixture-server.js';
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
  const client = new ChaosClient({});
  try {
    await Promise.all(
      SERVERS.map((name) => client.manage('add_server', { name, ...fixtureServer('faulty') }).answered),
    );
    const calls = SERVERS.flatMap((name) =>
      Array.from({ length: CALLS_PER_SERVER }, (_, index) =>
        index % 2 === 0 ? client.call(name, 'oversize', ANSWER_BYTES) : client.call(name, 'flood', 1000),
      ),
    );
    const megabytes = await readSlowly(client);
    const answers = await Promise.all(calls.map((call) => call.answered));
    const failed = answers.filter(({ error, result }) => error !== undefined || result?.['isError'] === true);
    report('slow client', {
      seconds: SECONDS,
      servers: SERVERS.length,
      answers: answers.length,
      failed: failed.length,
      megabytesAtTheEnd: megabytes,
      megabytesPeak: memoryOf(client.pid).peak,
    });
    expect([failed, client.violations]).toEqual([[], []]);
    expect(memoryOf(client.pid).peak).toBeLessThan(MAX_MEGABYTES);
  } finally {
    client.child.stdin.end();
    await client.ended;
  }
});

/** Reads a pipe full now and then; resolves with the memory of mcpmux after that, in megabytes. */
async function readSlowly({ child: { stdout }, pid }: ChaosClient): Promise<number> {
  for (let read = 0; read < SECONDS * READS_PER_SECOND; read += 1) {
    stdout.pause();
    await delay(1000 / READS_PER_SECOND);
    stdout.resume();
    await new Promise(setImmediate);
  }
  return memoryOf(pid).now;
}
