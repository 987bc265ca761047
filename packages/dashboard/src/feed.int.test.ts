import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { PageRig } from './testing/page-rig.js';

interface Batch {
  readonly events: readonly { readonly type: string; readonly sequence: number }[];
  readonly calls: readonly { readonly call: number; readonly server: string; readonly hasContent: boolean }[];
  readonly missed: number;
}

async function open(
  rig: PageRig,
  headers: Readonly<Record<string, string>>,
  after = '',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${rig.origin}/ui/api/events${after}`, { headers }, resolve).on('error', reject);
  });
}

/** Reads batches until one of them fits. */
async function until(response: IncomingMessage, fits: (batch: Batch) => boolean): Promise<Batch> {
  let rest = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    const found = lines.map((line) => JSON.parse(line) as Batch).find(fits);
    if (found !== undefined) return found;
  }
  throw new Error('the stream has ended');
}

it('a page gets events and calls, the content of a call on demand, and resumes after the last event', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  const first = await open(rig, headers);
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const { events } = await until(first, (batch) => batch.events.some(({ type }) => type === 'server:state'));
  await rig.mux.callTool('echo__echo', { message: '<script>alert(1)</script>', password: 'opensesame' });
  const { calls } = await until(first, (batch) => batch.calls.some((call) => 'ending' in call));
  expect(calls).toMatchObject([{ server: 'echo', tool: 'echo', ending: 'result', hasContent: true }]);
  const content = await rig.send(`/ui/api/call?call=${calls[0]?.call}`, { headers });
  expect(content.text).toContain('<script>alert(1)</script>');
  expect(content.text).not.toContain('opensesame');
  expect((await rig.send('/ui/api/call?call=99', { headers })).status).toBe(404);
  first.destroy();
  const last = events.at(-1)?.sequence ?? 0;
  await rig.mux.removeServer('echo');
  const second = await open(rig, headers, `?after=${last}`);
  const resumed = await until(second, (batch) => batch.events.some(({ type }) => type === 'server:removed'));
  expect(resumed.events.every(({ sequence }) => sequence > last)).toBe(true);
  expect(resumed.missed).toBe(0);
  second.destroy();
});
