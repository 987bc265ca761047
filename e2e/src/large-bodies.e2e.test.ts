import { expect, it } from 'vitest';

import { ACCEPT, HttpCli, INITIALIZE } from './testing/http-cli.js';

const BYTES = 4 * 1024 * 1024 - 200;
const KEYS = 300_000;
const PROBES = 40;
/** A front in which nobody does anything answers as fast as the machine is free; so many times slower is still at once. */
const TIMES_SLOWER = 20;
const AT_ONCE_MS = 50;
/** The probes of all shapes take 3 s, and twenty times as long on a machine with twelve other programs. */
const TIMEOUT_MS = 300_000;

const call = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x__y","arguments":${args}}}`;
const filled = (part: string): string =>
  Array(Math.floor((BYTES - 200) / (part.length + 1)))
    .fill(part)
    .join(',');
const keys = Array.from({ length: KEYS }, (_, index) => `"k${index}":0`).join(',');

const SHAPES: readonly (readonly [name: string, body: string])[] = [
  ['empty objects', call(`[${filled('{}')}]`)],
  ['keys', call(`{${keys}}`)],
  ['keys of params', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${keys}}}`],
  ['arrays in arrays', call(`[${filled('['.repeat(100) + ']'.repeat(100))}]`)],
  ['numbers', call(`[${filled('1')}]`)],
  ['a long text', call(`"${'x'.repeat(BYTES - 200)}"`)],
  ['a long batch', `[${filled('{}')}]`],
];

/** How long nine of ten answers of the health page take at most, in milliseconds: the machine has others to serve. */
async function slow(cli: HttpCli): Promise<number> {
  const times: number[] = [];
  for (let probe = 0; probe < PROBES; probe += 1) {
    const begun = performance.now();
    await cli.send({ path: '/healthz' });
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PROBES * 0.9)] ?? 0;
}

it(
  'I24: while bodies of 4 MiB of any shape are in flight, health is told as if there were none',
  async () => {
    await using cli = await HttpCli.open();
    const opened = await cli.send({ method: 'POST', headers: ACCEPT, body: INITIALIZE });
    const headers = { ...ACCEPT, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const tooSlow: string[] = [];
    let alone = await slow(cli);
    for (const [name, body] of SHAPES) {
      const posts = new AbortController();
      const posting = (async () => {
        while (!posts.signal.aborted)
          await cli.send({ method: 'POST', headers, body }).catch(() => undefined);
      })();
      const beside = await slow(cli);
      posts.abort();
      await posting;
      // Before and after: the machine may have become busier in between.
      const before = alone;
      alone = await slow(cli);
      if (beside > AT_ONCE_MS + TIMES_SLOWER * Math.max(before, alone))
        tooSlow.push(
          `${name}: ${Math.round(beside)} ms, alone ${Math.round(before)} and ${Math.round(alone)} ms`,
        );
    }
    expect(tooSlow).toEqual([]);
  },
  TIMEOUT_MS,
);
