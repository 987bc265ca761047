import { describe, expect, it } from 'vitest';

import type { Era } from '../server/dialect/era.js';
import { DualClient, FRONT, statusOf } from '../testing/dual-client.js';
import { dualProgram, DualServers } from '../testing/dual-program.js';
import { createMux } from './mux.js';

const ERAS: readonly Era[] = ['legacy', 'modern'];

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
});
