import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MAX_SESSIONS } from './entrance/page-sessions.js';
import { PageRig } from './testing/page-rig.js';

interface Batch {
  readonly events: readonly { readonly type: string; readonly sequence: number }[];
  readonly calls: readonly { readonly call: number; readonly server: string; readonly hasContent: boolean }[];
  readonly missed: number;
  readonly isLost?: boolean;
  readonly at: { readonly event: number; readonly calls: string };
}

async function open(
  rig: PageRig,
  headers: Readonly<Record<string, string>>,
  path = 'events',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${rig.origin}/ui/api/${path}`, { headers }, resolve).on('error', reject);
  });
}

/** Resolves when mcpmux has ended a stream. */
function ended(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) =>
    response
      .on('error', () => undefined)
      .once('close', resolve)
      .resume(),
  );
}

/** Reads batches until one of them fits. */
async function until<Line = Batch>(response: IncomingMessage, fits: (line: Line) => boolean): Promise<Line> {
  let rest = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    const found = lines.map((line) => JSON.parse(line) as Line).find(fits);
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
  const second = await open(rig, headers, `events?after=${last}`);
  const resumed = await until(second, (batch) => batch.events.some(({ type }) => type === 'server:removed'));
  expect(resumed.events.every(({ sequence }) => sequence > last)).toBe(true);
  expect(resumed.missed).toBe(0);
  second.destroy();
});

it('a page that was cut off goes on at its place: it gets later calls and ends, none of those before again', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const first = await open(rig, headers);
  await rig.mux.callTool('echo__echo', { message: 'one' });
  const { at } = await until(first, (batch) => batch.calls.some((call) => 'ending' in call));
  first.destroy();
  await rig.mux.callTool('echo__echo', { message: 'two' });
  const second = await open(rig, headers, `events?after=${at.event}&calls=${at.calls}`);
  const resumed = await until(second, (batch) => batch.calls.length > 0);
  expect(resumed.calls).toMatchObject([{ call: 2, ending: 'result' }]);
  expect(resumed).toMatchObject({ events: [], missed: 0 });
  expect(resumed.isLost).toBeUndefined();
  second.destroy();
});

it('an idle page keeps its place among the events, so that calls and audits in between are no loss', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const stream = await open(rig, headers, `events?after=${rig.mux.lastEvent}`);
  await rig.mux.callTool('echo__echo', { message: 'one' });
  const { at } = await until(stream, (batch) => batch.calls.some((call) => 'ending' in call));
  expect(at.event).toBe(rig.mux.lastEvent);
  stream.destroy();
});

it('the log of a server has the number of its last event, behind which the events go on', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  // an event may come between an answer and the look at the mux: then both are read again
  const read = async (path: string): Promise<{ readonly document: object; readonly lastEvent: number }> => {
    for (;;) {
      const { lastEvent } = rig.mux;
      const document = JSON.parse((await rig.send(path, { headers })).text) as object;
      if (rig.mux.lastEvent === lastEvent) return { document, lastEvent };
    }
  };
  const log = await read('/ui/api/log?server=echo');
  expect(log.document).toMatchObject({ name: 'echo', lastEvent: log.lastEvent });
  const overview = await read('/ui/api/overview');
  expect(overview.document).toMatchObject({ mcpmux: { lastEvent: overview.lastEvent } });
});

interface Messages {
  readonly messages: readonly { readonly from: string; readonly method?: string; readonly text?: string }[];
}

it('a page gets the messages of the session that it looks at, until that ends', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  await rig.mux.callTool('echo__echo', { message: 'one' });
  const [client] = rig.mux.listClients();
  const stream = await open(rig, headers, `messages?session=${client?.session}`);
  const messages: Messages['messages'][number][] = [];
  // The request and its result may come in two lines.
  const read = until<Messages>(stream, (line) => messages.push(...line.messages) > 1);
  await rig.mux.callTool('echo__echo', { message: 'two' });
  await read;
  expect(messages).toMatchObject([
    { from: 'client', kind: 'request', method: 'tools/call' },
    { from: 'mcpmux', kind: 'result' },
  ]);
  expect(messages[0]?.text).toContain('two');
  stream.destroy();
  expect((await rig.send('/ui/api/messages?session=99', { headers })).status).toBe(404);
});

it('a page gets both definitions of a changed tool, and which tools are in no list', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  await rig.mux.addServer('s', fixtureCommand('changing-definition'));
  await rig.mux.callTool('s__turn', { description: 'changed' });
  rig.mux.expose({ mode: 'search' });
  const notes = async (): Promise<unknown> =>
    JSON.parse((await rig.send('/ui/api/tools', { headers })).text) as unknown;
  const changed = {
    server: 's',
    tool: 'greet',
    name: 's__greet',
    before: expect.stringContaining('Says hello') as string,
    after: expect.stringContaining('changed') as string,
  };
  await expect.poll(notes).toMatchObject({ changed: [changed], unlisted: ['s__greet', 's__turn'] });
});

it('a page that logs out has no stream any more, also in its other tabs', async () => {
  await using rig = await PageRig.open();
  const [left, stays] = [await rig.logIn(), await rig.logIn()];
  const ends = [ended(await open(rig, left)), ended(await open(rig, left))];
  const foreign = await open(rig, stays);
  await rig.send('/ui/api/logout', { method: 'POST', headers: left, body: {} });
  await expect(Promise.all(ends)).resolves.toHaveLength(2);
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  await until(foreign, ({ events }) => events.some(({ type }) => type === 'server:added'));
  foreign.destroy();
});

it('a session that gives way to new ones has no stream any more', async () => {
  await using rig = await PageRig.open();
  const stream = await open(rig, await rig.logIn());
  const end = ended(stream);
  for (let session = 0; session < MAX_SESSIONS; session += 1) await rig.logIn();
  await expect(end).resolves.toBeUndefined();
});
