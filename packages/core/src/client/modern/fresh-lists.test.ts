import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient } from '../../testing/sessions-rig.js';

const FLAGS = { notifications: { toolsListChanged: true } };
const LIST = modernLine('2', 'tools/list');
const CHANGED = expect.stringContaining('notifications/tools/list_changed') as unknown;
const ANSWER = expect.stringContaining('"id":9,') as unknown;
/** Between the list and the answer. */
const READING_MS = 50;

/** A client that listens and has sent these lines; its call of an own tool changes its tools. */
async function change(listens: boolean, lines: readonly string[], name = 'test') {
  const rig = new SessionsRig();
  const server = rig.server('s', { tools: ['t'] });
  rig.ownTools.areChanging = true;
  const client: RigClient = rig.stranger();
  const named = (line: string): string => line.replace('"name":"test"', `"name":"${name}"`);
  const opened = listens ? [modernLine('"listen:0"', 'subscriptions/listen', FLAGS)] : [];
  await client.exchange(
    ...[...opened, ...lines, modernLine('9', 'tools/call', { name: 'own_tool' })].map(named),
  );
  client.take();
  rig.nowHas(server, ['t', 'u'], []);
  rig.ownTools.last.resolve('{}');
  await client.exchange();
  return { rig, client, sent: client.take() };
}

async function after({ rig, client }: Awaited<ReturnType<typeof change>>, ms: number) {
  rig.clock.advance(ms);
  await client.exchange();
  return client.take();
}

describe('the answer of a tool that changes the lists of a modern client', () => {
  it('M1: comes after list_changed, and after the list that the client requests then', async () => {
    const changed = await change(true, [LIST]);
    expect(changed.sent).toEqual([CHANGED]);
    await expect(changed.client.exchange(LIST)).resolves.toEqual([expect.stringContaining('s__u')]);
    changed.client.take();
    await expect(after(changed, READING_MS)).resolves.toEqual([ANSWER]);
  });

  it('waits for a bounded time for a client that goes on with the list that it has', async () => {
    const changed = await change(true, [LIST]);
    expect(changed.sent).toEqual([CHANGED]);
    await expect(after(changed, DEFAULT_LIMITS.listRequestMs)).resolves.toEqual([ANSWER]);
  });

  it('is not withheld from a client that has requested no list, or does not listen', async () => {
    expect((await change(true, [])).sent).toEqual([CHANGED, ANSWER]);
    expect((await change(false, [LIST])).sent).toEqual([ANSWER]);
  });

  it('knows the habit of a client by the name in its requests', async () => {
    expect((await change(true, [], 'claude-code')).sent).toEqual([CHANGED]);
    expect((await change(true, [LIST], 'codex-mcp-client')).sent).toEqual([CHANGED, ANSWER]);
  });
});
