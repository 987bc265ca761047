import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { modernLine } from '../testing/modern-lines.js';
import { ModernClient } from '../testing/modern-client.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';

const CALL = { name: 'mine__echo', arguments: { message: 'hi' } };

/** A mux with a server of which each session has its own run. */
async function rigWithTemplate(): Promise<MuxRig> {
  const rig = await MuxRig.open();
  const listed = rig.client.listChanged(1);
  await rig.mux.addServer('mine', { ...fixtureCommand('echo'), isolation: 'session' });
  await listed;
  return rig;
}

describe('a server with isolation: session, for a client of the modern era', () => {
  it('is refused with a text to requests without a connection', async () => {
    await using rig = await rigWithTemplate();
    const lines: string[] = [];
    const line = Buffer.from(modernLine('1', 'tools/call', CALL));
    await rig.mux.handle(line, {}, (answer) => lines.push(Buffer.from(answer).toString()));
    expect(lines.map((one) => JSON.parse(one) as unknown)).toMatchObject([
      {
        error: {
          code: -32602,
          message: expect.stringContaining('has a run for each session (isolation: session)') as unknown,
        },
      },
    ]);
  });

  it('has one run for its connection', async () => {
    await using rig = await rigWithTemplate();
    const client = new MuxClient(rig.mux);
    client.send(modernLine('1', 'tools/call', CALL));
    expect(JSON.parse(await client.responseLine('1'))).toMatchObject({
      result: { resultType: 'complete', content: [{ text: 'hi' }] },
    });
  });
});

it('a server of both eras that clients of both eras share is spoken to in the modern one, in one process', async () => {
  await using rig = await MuxRig.open();
  const modern = new ModernClient(rig, {});
  await modern.request('tools/list');
  const added = await rig.add('both', 'dual-era');
  expect(added).toMatchObject({ status: 'running' });
  const { result } = await rig.client.request('tools/call', { name: 'both__era' });
  expect(result).toMatchObject({ content: [{ text: 'modern' }] });
  expect((await modern.call('both__era')).result).toMatchObject({ content: [{ text: 'modern' }] });
  const starts = rig.logger.records.filter(({ message }) => message === 'started a server process');
  expect(starts).toHaveLength(1);
});

it('list_servers says what the caller speaks, and what each server speaks', async () => {
  await using rig = await MuxRig.open();
  await rig.mux.addServer('new', { ...fixtureCommand('modern'), protocol: 'modern' });
  const client = new MuxClient(rig.mux);
  client.send(modernLine('1', 'tools/call', { name: 'list_servers' }));
  const said = { structuredContent: { servers: [{ era: 'modern', protocol_version: '2026-07-28' }] } };
  expect(JSON.parse(await client.responseLine('1'))).toMatchObject({
    result: {
      structuredContent: {
        ...said.structuredContent,
        client: { era: 'modern', protocol_version: '2026-07-28' },
      },
    },
  });
  expect(JSON.parse(client.lines.at(-1) ?? '').result.structuredContent.client).not.toHaveProperty(
    'differences',
  );
  const legacy = await MuxClient.initialized(rig.mux);
  const { result } = await legacy.request('tools/call', { name: 'list_servers' });
  expect(result).toMatchObject({
    structuredContent: {
      ...said.structuredContent,
      client: {
        era: 'legacy',
        protocol_version: '2025-11-25',
        bridged_servers: ['new'],
        differences: [expect.stringContaining('comes as a request'), expect.stringContaining('tasks/list')],
      },
    },
  });
  const connected = rig.logger.records.filter(({ message }) => message === 'client connected').slice(1);
  expect(connected.map(({ fields }) => fields)).toEqual([
    { session: expect.any(Number), era: 'modern', protocol_version: '2026-07-28' },
    { session: expect.any(Number), era: 'legacy', protocol_version: '2025-11-25' },
  ]);
});
