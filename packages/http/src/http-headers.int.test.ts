import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { answersIn, FrontRig } from './testing/front-rig.js';

const call = (message: string): object => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'e__echo', arguments: { message } },
});

describe('headers of the revision 2026-07-28', () => {
  it.each([
    ['another method', { 'mcp-method': 'tools/list' }],
    ['another tool', { 'mcp-method': 'tools/call', 'mcp-name': 'other__tool' }],
    ['what stands there', { 'mcp-method': 'tools/call', 'mcp-name': 'e__echo' }],
  ])('I15: are refused with their revision before the body counts, where they name %s', async (_, named) => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const calls: string[] = [];
    rig.mux.on('call:start', ({ tool }) => calls.push(tool));
    const revision = { 'mcp-protocol-version': '2026-07-28' };
    for (const session of [{}, await rig.session()]) {
      const answer = await rig.send('POST', { ...session, ...revision, ...named }, call('hi'));
      await answer.ended;
      expect(answer.status).toBe(400);
    }
    expect(calls).toEqual([]);
  });

  it('I15: decide nothing in a session of another revision: the body does', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const session = await rig.session();
    const named = { 'mcp-method': 'tools/list', 'mcp-name': 'mcpmux__remove_server' };
    const answer = await rig.send('POST', { ...session, ...named }, call('by the body'));
    await answer.ended;
    expect(answersIn(answer.text)).toMatchObject([{ id: 7, result: { content: [{ text: 'by the body' }] } }]);
  });
});
