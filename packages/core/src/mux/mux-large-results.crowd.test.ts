import { expect, it } from 'vitest';

import { HANDLE, MEGABYTE, muxWith, resultOf, textOf } from '../testing/large-results-rig.js';
import { MuxClient } from '../testing/mux-client.js';

it('a result of 50 MB is answered below the limit and read by pages, in bounded memory', async () => {
  const line = `${'0123456789 "quoted" é'.repeat(5)}\n`;
  const text = line.repeat(Math.ceil((50 * MEGABYTE) / Buffer.byteLength(line)));
  await using mux = await muxWith(() => ({ content: [{ type: 'text', text }] }), {});
  const client = await MuxClient.initialized(mux);
  const handles: (string | undefined)[] = [];
  for (let round = 0; round < 3; round += 1) {
    const result = await resultOf(client, 's__get');
    expect(textOf(result).length).toBeLessThan(100_000);
    handles.push(HANDLE.exec(textOf(result))?.[1]);
  }
  // The store has room for one of them.
  const [first, , handle] = handles;
  expect(await resultOf(client, 'read_result', { handle: first })).toMatchObject({ isError: true });
  const page = await resultOf(client, 'read_result', { handle, page: 700 });
  expect(textOf(page)).toMatch(/^Page 700 of \d+:/);
  const found = await resultOf(client, 'read_result', { handle, grep: 'quoted' });
  expect(textOf(found).length).toBeLessThan(100_000);
});
