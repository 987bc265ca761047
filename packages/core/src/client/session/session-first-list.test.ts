import { describe, expect, it } from 'vitest';

import { SessionRig, type SessionRigInit } from '../../testing/session-rig.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const PROMPTS = '{"jsonrpc":"2.0","id":2,"method":"prompts/list"}';
const FIRST_LIST_MS = 5000;

interface Opened {
  readonly rig: SessionRig;
  readonly server: StandInUpstream;
}

/** A client of that name, and a server that is starting. */
async function opened(clientName: string, init: SessionRigInit = {}): Promise<Opened> {
  const server = new StandInUpstream('s', { tools: ['find'] }).nowStarting();
  const rig = new SessionRig([server], init);
  rig.starting.updateState(server);
  const clientInfo = JSON.stringify({ name: clientName, version: '1' });
  const params = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":${clientInfo}}`;
  await rig.exchange(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`);
  return { rig, server };
}

async function run({ rig, server }: Opened): Promise<void> {
  server.nowRunning();
  rig.nowHas(server, 'find');
  rig.starting.updateState(server);
  await rig.exchange();
}

describe('the first list of tools', () => {
  it.each([
    ['codex-mcp-client', {}],
    ['claude-code', {}],
    ['qwen-code-mcp-client', {}],
    ['Cline', {}],
    ['some-client', { waitForServers: true }],
  ])('M1: of %s with %j waits for the servers that are starting', async (name, init) => {
    const by = await opened(name, init);
    await expect(by.rig.exchange(LIST)).resolves.toEqual([]);
    await run(by);
    expect(by.rig.client.lines.at(-1)).toContain('s__find');
  });

  it.each([
    ['claude-code', { waitForServers: false }],
    ['codex-mcp-client', { waitForServers: false }],
  ])('of %s with %j is answered at once', async (name, init) => {
    const { rig } = await opened(name, init);
    await expect(rig.exchange(LIST)).resolves.toHaveLength(1);
  });

  it('waits for a bounded time', async () => {
    const { rig } = await opened('codex-mcp-client');
    await rig.exchange(LIST);
    rig.clock.advance(FIRST_LIST_MS - 1);
    await expect(rig.exchange()).resolves.toEqual([]);
    rig.clock.advance(1);
    await rig.exchange();
    expect(rig.client.lines.at(-1)).toContain('"id":1,"result"');
    expect(rig.clock.timerCount).toBe(0);
  });

  it('is the only one that waits: further ones, and other lists, are answered at once', async () => {
    const { rig } = await opened('codex-mcp-client');
    await rig.exchange(LIST);
    await expect(rig.exchange(PROMPTS)).resolves.toHaveLength(1);
    await expect(rig.exchange(LIST.replace('1,', '3,'))).resolves.toHaveLength(1);
  });

  it('does not wait where no server is starting', async () => {
    const by = await opened('codex-mcp-client');
    await run(by);
    await expect(by.rig.exchange(LIST)).resolves.toEqual([expect.stringContaining('s__find')]);
  });

  it('is answered when the session ends before that', async () => {
    const { rig } = await opened('codex-mcp-client');
    await rig.exchange(LIST);
    void rig.session.finish(0);
    rig.clock.advance(0);
    await rig.exchange();
    expect(rig.client.lines.at(-1)).toContain('"id":1,"result":{"tools"');
  });

  it('is unknown to a client that has cancelled it: the client is told that its tools have changed', async () => {
    const by = await opened('some-client', { waitForServers: true });
    await by.rig.exchange(LIST);
    const params = '{"requestId":1}';
    await by.rig.exchange(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    await run(by);
    by.rig.session.notifyListChanges();
    await by.rig.exchange();
    expect(by.rig.client.lines.at(-1)).toContain('notifications/tools/list_changed');
  });
});
