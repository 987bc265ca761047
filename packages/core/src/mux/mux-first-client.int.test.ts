import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { PassThrough } from 'node:stream';

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { StreamPair } from '@mcpmux/wire';
import { describe, expect, it } from 'vitest';

import type { Era } from '../server/dialect/era.js';
import { DualClient, FRONT, statusOf } from '../testing/dual-client.js';
import { dualProgram, DualServers } from '../testing/dual-program.js';
import { textOf } from '../testing/mux-rig.js';
import { SloppyServer } from '../testing/sloppy-server.js';
import { SOUND } from '../testing/sloppy-situations.js';
import { createMux } from './mux.js';

const ERAS: readonly Era[] = ['legacy', 'modern'];

/** A server with one tool for everybody, and one for clients that accept questions. */
async function conditionalTool(description = 'as ever'): Promise<StreamPair> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = new McpServer({ name: 'conditional', version: '1' });
  const said = () => ({ content: [{ type: 'text' as const, text: 'said' }] });
  server.registerTool('plain', { description }, said);
  const ifAsked = server.registerTool('if_asked', {}, said);
  ifAsked.disable();
  server.server.oninitialized = () => {
    if (server.server.getClientCapabilities()?.elicitation !== undefined) ifAsked.enable();
  };
  await server.connect(new StdioServerTransport(input, output));
  return { input: output, output: input };
}

describe('a server of the legacy era that a front has started before its first client', () => {
  it.each(ERAS)('is told the capabilities of that client, which is %s, and asks it', async (era) => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await dualProgram()), protocol: 'legacy' });
    const client = await DualClient.open(mux, era);
    expect(await client.call('ask')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ era: 'legacy', restarts: 1 });
  });

  it('at a url is told them as well', async () => {
    await using servers = new DualServers();
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await servers.configOf('at a url')), protocol: 'legacy' });
    const client = await DualClient.open(mux, 'legacy');
    expect(await client.call('ask')).toMatch(/"so"/);
  });

  it('stays as it is once a client has used it, and list_servers says what helps', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await dualProgram()), protocol: 'legacy' });
    const silent = await DualClient.open(mux, 'legacy', {});
    await silent.call('era');
    const client = await DualClient.open(mux, 'legacy');
    await client.wire.tools();
    const { restarts, warnings } = statusOf(mux);
    expect([restarts, warnings?.[0]]).toEqual([0, expect.stringContaining('elicitation, sampling')]);
    await client.wire.manage('reload_server', { name: 'v' });
    expect(await client.call('ask')).toMatch(/"so"/);
    expect(statusOf(mux).warnings).toBeUndefined();
  });

  it('stays as it is for clients that cannot be asked, and for those after the first', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await dualProgram()), protocol: 'legacy' });
    const silent = await DualClient.open(mux, 'legacy', {});
    await silent.wire.tools();
    expect(statusOf(mux)).toMatchObject({ restarts: 0 });
    const first = await DualClient.open(mux, 'legacy');
    await first.wire.tools();
    expect(await first.call('ask')).toMatch(/"so"/);
    const second = await DualClient.open(mux, 'modern');
    expect(await second.call('ask')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ restarts: 1 });
  });

  it('is started again once, whoever calls in the meantime, and every call is answered', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await dualProgram()), protocol: 'legacy' });
    const silent = await DualClient.open(mux, 'legacy', {});
    const client = await DualClient.open(mux, 'legacy');
    const first = client.wire.tools();
    const others = [silent.call('era'), silent.call('era'), client.call('era')];
    expect((await first).map(({ name }) => name)).toContain('v__ask');
    expect(await Promise.all(others)).toEqual(['legacy', 'legacy', 'legacy']);
    expect(statusOf(mux).restarts).toBeLessThanOrEqual(1);
  });

  it('gets the capabilities of the client that lists, not of the one that came last', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await dualProgram()), protocol: 'legacy' });
    const client = await DualClient.open(mux, 'legacy');
    const silent = await DualClient.open(mux, 'legacy', {});
    await client.wire.tools();
    await silent.wire.tools();
    expect(await client.call('ask')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ restarts: 1 });
  });

  it('stays where its host gave one transport: nothing can start it again', async () => {
    await using mux = createMux(FRONT);
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new McpServer({ name: 'own', version: '1' });
    server.registerTool('era', {}, () => ({ content: [{ type: 'text', text: 'said' }] }));
    await server.connect(far);
    await mux.addServer('v', { transport: near, protocol: 'legacy' });
    const client = await DualClient.open(mux, 'legacy');
    await client.wire.tools();
    expect(await client.call('era')).toBe('said');
    expect(statusOf(mux)).toMatchObject({ status: 'running', restarts: 0 });
  });

  it('is not blocked by pinned tools where only the first client brings a tool about', async () => {
    await using mux = createMux({ ...FRONT, pinTools: 'block' });
    await mux.addServer('v', { address: 'test:v', advice: '', open: conditionalTool, protocol: 'legacy' });
    const client = await DualClient.open(mux, 'legacy');
    const names = (await client.wire.tools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['v__plain', 'v__if_asked']));
    expect(textOf((await client.wire.call('v__if_asked')).result)).toBe('said');
    expect(statusOf(mux)).toMatchObject({ restarts: 1 });
    expect(statusOf(mux).blocked_tools).toBeUndefined();
  });

  it('is blocked as ever where an earlier server of its name had fewer tools', async () => {
    await using mux = createMux({ ...FRONT, pinTools: 'block' });
    const config = { address: 'test:v', advice: '', open: conditionalTool, protocol: 'legacy' } as const;
    await mux.addServer('v', config);
    await mux.removeServer('v');
    await mux.addServer('v', config);
    const client = await DualClient.open(mux, 'legacy');
    await client.wire.tools();
    expect(statusOf(mux)).toMatchObject({ restarts: 1, blocked_tools: { if_asked: 'new' } });
  });

  it('is blocked as ever where the restart changes a tool', async () => {
    await using mux = createMux({ ...FRONT, pinTools: 'block' });
    let starts = 0;
    const open = (): Promise<StreamPair> => conditionalTool(`start ${(starts += 1)}`);
    await mux.addServer('v', { address: 'test:v', advice: '', open, protocol: 'legacy' });
    const client = await DualClient.open(mux, 'legacy');
    await client.wire.tools();
    expect(statusOf(mux)).toMatchObject({ restarts: 1, blocked_tools: { plain: 'changed' } });
  });

  it('runs as before if it does not start with the capabilities of a client', async () => {
    await using mux = createMux(FRONT);
    await using server = await SloppyServer.open('legacy', SOUND);
    let starts = 0;
    const open = (): Promise<StreamPair> => {
      starts += 1;
      return starts === 2 ? Promise.reject(new Error('not now')) : Promise.resolve(server.streams());
    };
    await mux.addServer('v', { address: 'test:v', advice: '', open, protocol: 'legacy' });
    const client = await DualClient.open(mux, 'legacy');
    await client.wire.tools();
    await client.wire.tools();
    expect(textOf((await client.wire.call('v__say', { a: 'b' })).result)).toBe('caf\u00e9 b');
    expect([starts, statusOf(mux).status]).toEqual([3, 'running']);
  });
});
