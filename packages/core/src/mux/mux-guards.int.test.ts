import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { rateLimit } from '../guards/index.js';
import { createMux, GuardRefusal } from '../index.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';

describe('a mux with guards', () => {
  it('A7: calls above the rate are refused, and those of other servers go on', async () => {
    await using rig = await MuxRig.open();
    await rig.add('a', 'echo');
    await rig.add('b', 'echo');
    rig.mux.use(rateLimit({ perSecond: 0.001, burst: 2, by: ['principal', 'server'] }));
    const call = (name: string): Promise<unknown> =>
      rig.client.request('tools/call', { name, arguments: { message: 'hi' } });
    const answers = await Promise.all(['a__echo', 'a__echo', 'a__echo', 'b__echo'].map(call));
    expect(answers).toMatchObject([
      { result: { content: [{ text: 'hi' }] } },
      { result: { content: [{ text: 'hi' }] } },
      { error: { code: -32603, data: { reason: 'rate-limited', server: 'a' } } },
      { result: { content: [{ text: 'hi' }] } },
    ]);
  });

  it('A6: a guard decides by the principal that a client was connected as', async () => {
    await using mux = createMux();
    await mux.addServer('e', fixtureCommand('echo'));
    mux.use('tools/call', ({ principal, params }, next) => {
      if (principal.roles.includes('dev')) return next();
      throw new GuardRefusal(`${params.name} is not for ${principal.id}.`, { reason: 'forbidden' });
    });
    const ann = new MuxClient(mux, { principal: { id: 'ann', roles: ['dev'], rights: [] } });
    const guest = new MuxClient(mux);
    const call = { name: 'e__echo', arguments: { message: 'hi' } };
    expect(await ann.request('tools/call', call)).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    expect(await guest.request('tools/call', call)).toMatchObject({
      error: { message: 'e__echo is not for local.' },
    });
    await expect(mux.callTool('e__echo', { message: 'hi' })).rejects.toThrow('e__echo is not for host.');
  });

  it('A12: where add_server is denied, a principal with the right to manage may add', async () => {
    await using mux = createMux({ addPolicy: { mode: 'deny' } });
    const boss = new MuxClient(mux, { principal: { id: 'boss', roles: [], rights: ['manage'] } });
    const guest = new MuxClient(mux);
    const add = { name: 'add_server', arguments: { name: 'e', ...fixtureCommand('echo') } };
    expect(await guest.request('tools/call', add)).toMatchObject({ result: { isError: true } });
    expect(await boss.request('tools/call', add)).toMatchObject({
      result: { structuredContent: { status: 'running' } },
    });
  });

  it('announces the tools of mcpmux that a guard adds, when it comes and when it goes', async () => {
    await using rig = await MuxRig.open();
    const has = async (): Promise<boolean> =>
      (await rig.client.tools()).some(({ name }) => name === 'read_result');
    await expect(has()).resolves.toBe(false);
    const stop = rig.mux.use({
      answers: 'read_result',
      methods: ['tools/call'],
      handle: (_, next) => next(),
    });
    await rig.client.listChanged(1);
    await expect(has()).resolves.toBe(true);
    stop();
    await rig.client.listChanged(2);
    await expect(has()).resolves.toBe(false);
  });

  it('announces the tools that a guard hides and shows again', async () => {
    await using rig = await MuxRig.open();
    await rig.add('e', 'echo');
    await expect(rig.client.serverTools()).resolves.toContain('e__echo');
    const before = rig.client.count('notifications/tools/list_changed');
    const stop = rig.mux.use({ shows: () => false });
    await rig.client.listChanged(before + 1);
    await expect(rig.client.serverTools()).resolves.toEqual([]);
    stop();
    await rig.client.listChanged(before + 2);
    await expect(rig.client.serverTools()).resolves.toContain('e__echo');
  });
});
