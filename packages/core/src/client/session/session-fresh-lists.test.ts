import { describe, expect, it } from 'vitest';

import { SessionRig } from '../../testing/session-rig.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';

const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const ANSWER = '{"jsonrpc":"2.0","id":9,"result":{}}';
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const REQUEST_MS = 300;
/** Claude Code 2.1.332 requests the list once a second: 1027, 1034, 1039 and 1030 ms after the request before. */
const CLAUDE_CODE_MS = 1040;
const RHYTHM_MS = 2000;
const READING_MS = 50;

/** One client and one server; the call of an own tool gives the server a new tool each time. */
class FreshRig extends SessionRig {
  readonly server: StandInUpstream;
  private tools = 0;

  constructor() {
    const server = new StandInUpstream('s');
    super([server]);
    this.server = server;
    this.ownTools.areChanging = true;
  }

  static async open(clientName: string, ...lines: readonly string[]): Promise<FreshRig> {
    const rig = new FreshRig();
    const clientInfo = JSON.stringify({ name: clientName, version: '1' });
    const params = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":${clientInfo}}`;
    const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`;
    await rig.exchange(initialize, INITIALIZED, ...lines);
    return rig;
  }

  /** The own tool gives the server one more tool, and has its result. What the client is sent then. */
  async change(): Promise<readonly string[]> {
    this.call('9', 'own_tool');
    await this.exchange();
    this.tools += 1;
    this.nowHas(this.server, ...Array.from({ length: this.tools }, (_, index) => `t${index}`));
    this.ownTools.last.resolve('{}');
    return this.exchange();
  }

  /** What the client is sent when some time has passed. */
  async after(ms: number): Promise<readonly string[]> {
    const before = this.client.lines.length;
    this.clock.advance(ms);
    await this.exchange();
    return this.client.lines.slice(before);
  }
}

describe('the answer of a tool that changes lists', () => {
  it('M1: comes after list_changed, and after the list that a client requests then', async () => {
    const rig = await FreshRig.open('some-client', LIST);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
    await expect(rig.exchange(LIST)).resolves.toEqual([expect.stringContaining('s__t0')]);
    await expect(rig.after(READING_MS)).resolves.toEqual([ANSWER]);
  });

  it.each([0, 20, READING_MS - 1])(
    'M1: leaves the client the time to read a list that it requested %i ms before the result was there',
    async (before) => {
      const rig = await FreshRig.open('some-client', LIST);
      rig.call('9', 'own_tool');
      rig.nowHas(rig.server, 'early');
      rig.session.notifyListChanges();
      await rig.exchange(LIST);
      await rig.after(before);
      rig.ownTools.last.resolve('{}');
      await expect(rig.after(READING_MS - before - 1)).resolves.toEqual([]);
      await expect(rig.after(1)).resolves.toEqual([ANSWER]);
    },
  );

  it('comes at once when the client had its time to read the list before the result was there', async () => {
    const rig = await FreshRig.open('some-client', LIST);
    rig.call('9', 'own_tool');
    rig.nowHas(rig.server, 'early');
    rig.session.notifyListChanges();
    await rig.exchange(LIST);
    await rig.after(READING_MS);
    rig.ownTools.last.resolve('{}');
    await expect(rig.exchange()).resolves.toEqual([ANSWER]);
  });

  it('is not withheld from a client that has requested no list at all', async () => {
    const rig = await FreshRig.open('some-client');
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED, ANSWER]);
  });

  it('waits once, and for a bounded time, for a client that goes on with the list that it has', async () => {
    const rig = await FreshRig.open('some-client', LIST);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
    await expect(rig.after(REQUEST_MS - 1)).resolves.toEqual([]);
    await expect(rig.after(1)).resolves.toEqual([ANSWER]);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED, ANSWER]);
    await rig.after(10_000);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED, ANSWER]);
  });

  it('does not wait for a client that did not request the list when it was told of another change', async () => {
    const rig = await FreshRig.open('some-client', LIST);
    rig.nowHas(rig.server, 'other');
    rig.session.notifyListChanges();
    await rig.after(REQUEST_MS + 1);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED, ANSWER]);
  });

  it('waits for a client again that has followed in time, and not for one that lists whenever it likes', async () => {
    const rig = await FreshRig.open('some-client', LIST);
    await rig.change();
    await rig.after(RHYTHM_MS + 1);
    await rig.exchange(LIST);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED, ANSWER]);
    await rig.exchange(LIST);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
  });

  it.each(['claude-code', 'some-client'])(
    'M1: comes after the list that %s requests in its own rhythm, for each of three servers in a row',
    async (name) => {
      const rig = await FreshRig.open(name, LIST);
      for (const [index, later] of [0, CLAUDE_CODE_MS, CLAUDE_CODE_MS].entries()) {
        await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
        await expect(rig.after(later)).resolves.toEqual([]);
        await expect(rig.exchange(LIST)).resolves.toEqual([expect.stringContaining(`s__t${index}`)]);
        await expect(rig.after(READING_MS)).resolves.toEqual([ANSWER]);
      }
    },
  );

  it('waits for a bounded time for a client that has followed before, and then only for a short one', async () => {
    const rig = await FreshRig.open('claude-code', LIST);
    await rig.change();
    await rig.exchange(LIST);
    await rig.after(READING_MS);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
    await expect(rig.after(RHYTHM_MS - 1)).resolves.toEqual([]);
    await expect(rig.after(1)).resolves.toEqual([ANSWER]);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
    await expect(rig.after(REQUEST_MS)).resolves.toEqual([ANSWER]);
  });

  it.each([
    ['codex-mcp-client', [LIST_CHANGED, ANSWER]],
    ['claude-code', [LIST_CHANGED]],
  ])('knows the habit of %s from its first call on', async (name, sent) => {
    const rig = await FreshRig.open(name, LIST);
    await expect(rig.change()).resolves.toEqual(sent);
  });

  it('waits for Claude Code also after a list that came late', async () => {
    const rig = await FreshRig.open('claude-code', LIST);
    await rig.change();
    await expect(rig.after(RHYTHM_MS)).resolves.toEqual([ANSWER]);
    await rig.exchange(LIST);
    await expect(rig.change()).resolves.toEqual([LIST_CHANGED]);
  });

  it('neither tells nor waits where nothing has changed', async () => {
    const rig = await FreshRig.open('claude-code', LIST);
    rig.call('9', 'own_tool');
    await rig.exchange();
    rig.ownTools.last.resolve('{}');
    await expect(rig.exchange()).resolves.toEqual([ANSWER]);
  });

  it('does not hold other requests, nor those of another tool of mcpmux', async () => {
    const rig = await FreshRig.open('claude-code', LIST);
    await rig.change();
    await expect(rig.exchange('{"jsonrpc":"2.0","id":2,"method":"ping"}')).resolves.toHaveLength(1);
    rig.ownTools.areChanging = false;
    rig.call('3', 'own_tool');
    await rig.exchange();
    rig.ownTools.last.resolve('{"of":"another"}');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":3,"result":{"of":"another"}}']);
  });

  it('comes at once when the client closes its side, and leaves no timer', async () => {
    const rig = await FreshRig.open('claude-code', LIST);
    await rig.change();
    rig.session.handleInputEnd({ reason: 'ended' });
    await expect(rig.after(0)).resolves.toEqual([ANSWER]);
    await rig.after(1000);
    expect(rig.clock.timerCount).toBe(0);
  });
});

describe('a list that is the same', () => {
  it('M3: is announced to nobody, whatever has happened to its server', async () => {
    const rig = await FreshRig.open('some-client');
    rig.nowHas(rig.server, 'find');
    rig.session.notifyListChanges();
    rig.nowHas(rig.server, 'find');
    rig.session.notifyListChanges();
    rig.nowHas(rig.server, 'other');
    rig.nowHas(rig.server, 'find');
    rig.session.notifyListChanges();
    await rig.exchange();
    expect(rig.client.lines.filter((line) => line === LIST_CHANGED)).toHaveLength(1);
  });

  it('is not announced to a client that has read it already', async () => {
    const rig = await FreshRig.open('some-client');
    rig.nowHas(rig.server, 'find');
    await rig.exchange(LIST);
    rig.session.notifyListChanges();
    expect(rig.client.lines).not.toContain(LIST_CHANGED);
  });

  it('is announced to a client with guards when the difference is one that it sees', async () => {
    const rig = new FreshRig();
    rig.guards.use({ shows: (_, server, tool) => tool !== 'hidden' || server === undefined });
    await rig.exchange(INITIALIZED);
    rig.nowHas(rig.server, 'hidden');
    rig.session.notifyListChanges();
    rig.nowHas(rig.server, 'hidden', 'open');
    rig.session.notifyListChanges();
    await rig.exchange();
    expect(rig.client.lines.filter((line) => line === LIST_CHANGED)).toHaveLength(1);
  });
});
