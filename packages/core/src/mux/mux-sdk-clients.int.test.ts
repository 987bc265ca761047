import { Client as ClientV2, InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

const CLIENT = { name: 'test', version: '1' };

/** What both generations of the SDK's client have in common here. */
interface SdkClient {
  readonly listChanged: Promise<void>;
  toolNames(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

async function connectV1({ mux }: MuxRig): Promise<SdkClient> {
  const [near, far] = InMemoryTransportV1.createLinkedPair();
  const client = new ClientV1(CLIENT);
  const listChanged = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  mux.connect(far);
  await client.connect(near);
  return {
    listChanged,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

async function connectV2({ mux }: MuxRig): Promise<SdkClient> {
  const [near, far] = InMemoryTransportV2.createLinkedPair();
  const client = new ClientV2(CLIENT);
  const listChanged = new Promise<void>((resolve) =>
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
  );
  mux.connect(far);
  await client.connect(near);
  return {
    listChanged,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

it.each([
  ['SDK v1', connectV1],
  ['SDK v2', connectV2],
])('a client of %s does the main job over a transport in memory', async (_, connect) => {
  await using rig = await MuxRig.open({ addPolicy: { mode: 'allow' } });
  const client = await connect(rig);
  try {
    const added = await client.call('add_server', { name: 'e', ...fixtureCommand('echo') });
    expect(added).toMatchObject({ structuredContent: { status: 'running', tools: { length: 2 } } });
    await client.listChanged;
    const names = await client.toolNames();
    expect(names).toEqual(expect.arrayContaining(['add_server', 'remove_server', 'reload_server']));
    expect(names.slice(-3).map((name) => name.includes('__'))).toEqual([false, true, true]);
    expect(names.slice(-2)).toEqual(['e__echo', 'e__slow_echo']);
    expect(textOf(await client.call('e__echo', { message: 'größe' }))).toBe('größe');
    await expect(client.call('reload_server', { name: 'e' })).resolves.not.toHaveProperty('isError');
    await expect(client.call('remove_server', { name: 'e' })).resolves.not.toHaveProperty('isError');
    await expect(client.call('e__echo', { message: 'x' })).rejects.toThrow('"e"');
  } finally {
    await client.close();
  }
});
