import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { HOST, systemClock, type NumberedEvent } from '../index.js';
import { ModernClient } from '../testing/modern-client.js';
import { modernLine } from '../testing/modern-lines.js';
import { MuxRig } from '../testing/mux-rig.js';
import { createMux } from './mux.js';
import type { EventsOptions } from './mux-events.js';

type CallEvent = Extract<NumberedEvent, { readonly type: 'call:start' | 'call:end' }>;

async function callsOf(options: EventsOptions): Promise<readonly CallEvent[]> {
  await using mux = createMux();
  const secret = 'hunter2hunter2';
  await mux.addServer('echo', { ...fixtureCommand('echo'), env: { API_KEY: secret } });
  const events = mux.events(options);
  await mux.callTool('echo__echo', { message: `${secret} <b>hi</b>`, token: 'abcdefgh' });
  const calls: CallEvent[] = [];
  for await (const event of events) {
    if (event.type === 'call:start' || event.type === 'call:end') calls.push(event);
    if (event.type === 'call:end') break;
  }
  return calls;
}

it('a reader of events that asks for no details gets none', async () => {
  const [start, end] = await callsOf({});
  expect(Object.keys(start ?? {})).toEqual(['type', 'sequence', 'time', 'server', 'tool', 'call']);
  expect(Object.keys(end ?? {})).toEqual([
    'type',
    'sequence',
    'time',
    'server',
    'tool',
    'call',
    'ms',
    'ending',
  ]);
});

it('a reader that asks for details gets session, sizes, arguments and results, without secrets', async () => {
  const [start, end] = await callsOf({ details: true });
  const bytes = expect.any(Number) as number;
  expect(end).toMatchObject({ bytes });
  expect(start).toMatchObject({
    session: 1,
    bytes,
    arguments: '{"message":"[redacted] <b>hi</b>","token":"[redacted]"}',
  });
  expect(end?.type === 'call:end' && end.result).toContain('[redacted] <b>hi</b>');
  expect(JSON.stringify([start, end])).not.toMatch(/hunter2|abcdefgh/);
});

it('arguments and results are without the secrets of other servers, too', async () => {
  await using mux = createMux();
  const [before, meanwhile] = ['hunter2hunter2', 'hunter3hunter3'];
  await mux.addServer('other', { ...fixtureCommand('echo'), env: { API_KEY: before } });
  await mux.addServer('echo', fixtureCommand('echo'));
  const heard: unknown[] = [];
  mux.on('call:start', (event) => void heard.push(event), { details: true });
  mux.on('call:end', (event) => void heard.push(event), { details: true });
  await mux.callTool('echo__echo', { message: `${before} ${meanwhile} one` });
  await mux.addServer('late', { ...fixtureCommand('echo'), env: { API_KEY: meanwhile } });
  await mux.callTool('echo__echo', { message: `${before} ${meanwhile} two` });
  expect(heard).toHaveLength(4);
  expect(JSON.stringify(heard)).toContain(`[redacted] ${meanwhile} one`);
  expect(JSON.stringify(heard)).toContain('[redacted] [redacted] two');
  expect(JSON.stringify(heard)).not.toContain(before);
});

it('a reader that asks for sizes gets session and sizes, and no arguments and results', async () => {
  const [start, end] = await callsOf({ details: 'sizes' });
  const bytes = expect.any(Number) as number;
  expect(start).toMatchObject({ session: 1, bytes });
  expect(end).toMatchObject({ bytes });
  expect(JSON.stringify([start, end])).not.toMatch(/arguments|"result":/);
});

it('a long result is cut', async () => {
  await using mux = createMux();
  await mux.addServer('echo', fixtureCommand('echo'));
  const events = mux.events({ details: true });
  await mux.callTool('echo__echo', { message: 'x'.repeat(100_000) });
  for await (const event of events) {
    if (event.type !== 'call:end') continue;
    expect(event.bytes).toBeGreaterThan(100_000);
    expect(event.result).toHaveLength(16_384);
    expect(event.resultBytes).toBeGreaterThan(100_000);
    expect(event.resultBytes).toBeLessThan(event.bytes ?? 0);
    break;
  }
});

it('of many calls at once, only the first have details, and fewer their content', async () => {
  await using mux = createMux({}, { clock: { ...systemClock, now: () => 7 } });
  await mux.addServer('echo', fixtureCommand('echo'));
  const heard: string[] = [];
  const reported = (event: object): void =>
    void heard.push(`${'session' in event ? 'details' : ''}${'arguments' in event ? ' and content' : ''}`);
  mux.on('call:start', reported, { details: true });
  for (let call = 0; call < 110; call += 1) await mux.callTool('echo__echo', { message: 'x' });
  expect(heard).toEqual([
    ...Array<string>(50).fill('details and content'),
    ...Array<string>(50).fill('details'),
    ...Array<string>(10).fill(''),
  ]);
});

it('the connected clients are listed with their names, eras and open requests', async () => {
  await using rig = await MuxRig.open();
  const modern = new ModernClient(rig, { elicitation: {} });
  await modern.request('tools/list');
  expect(rig.mux.listClients()).toEqual([
    {
      session: 1,
      client: 'test 1',
      era: 'legacy',
      protocol_version: '2025-11-25',
      capabilities: [],
      principal: 'local',
      connected_seconds: expect.any(Number) as number,
      in_flight: 0,
    },
    expect.objectContaining({ session: 2, era: 'modern', capabilities: ['elicitation'] }),
  ]);
});

it('a request of the host itself, without a connection, is not listed, and servers are not told of it', async () => {
  await using rig = await MuxRig.open();
  const line = modernLine('1', 'tools/list', {}, { capabilities: { sampling: {} } });
  await rig.mux.handle(Buffer.from(line), { principal: HOST }, () => undefined);
  expect(rig.mux.listClients()).toHaveLength(1);
  await rig.add('told', 'requests-log');
  const reported = JSON.stringify(await rig.client.call('told__received'));
  expect(reported).toContain('initialize');
  expect(reported).not.toContain('sampling');
});
