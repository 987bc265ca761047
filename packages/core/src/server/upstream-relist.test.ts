import { describe, expect, it } from 'vitest';

import { FakeSpawner, type FakeRequest, type FakeServer } from '../testing/fake-server.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordedUpstream } from '../testing/recorded-upstream.js';
import { fakeUpstreamRig, type UpstreamRig } from '../testing/upstream-rig.js';

const CONFIG = { command: process.execPath };
const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

/** A server whose lists the test answers itself, all but the first. */
class ListedByHand {
  readonly requests: FakeRequest[] = [];
  readonly spawner = new FakeSpawner(() => ({
    tools: ['first'],
    intercept: (request, proceed) => {
      if (request.method === 'tools/list' && this.spawner.last.received.length > 3)
        this.requests.push(request);
      else proceed();
    },
  }));
  readonly rig: UpstreamRig = fakeUpstreamRig(this.spawner);
  readonly server = new RecordedUpstream(CONFIG, this.rig.components);

  get fake(): FakeServer {
    return this.spawner.last;
  }

  async start(): Promise<void> {
    await this.server.upstream.start();
  }

  /** Announces changes and waits until they have been heard. */
  async announce(times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) this.fake.send(LIST_CHANGED);
    await nextTurn();
    await nextTurn();
  }

  /** Answers the oldest list request that is open. */
  async answer(...tools: readonly string[]): Promise<void> {
    const request = this.requests.shift();
    if (request === undefined) throw new Error('no list was asked for');
    this.fake.answer(request, { tools: tools.map(toolOf) });
    await nextTurn();
    await nextTurn();
  }
}

function toolOf(name: string): object {
  return { name, inputSchema: { type: 'object' } };
}

describe('a server that says its tools have changed', () => {
  it('is asked for them again', async () => {
    const by = new ListedByHand();
    await using _ = by.server;
    await by.start();
    await by.announce();
    await by.answer('first', 'second');
    expect(by.server.toolNames).toEqual(['first', 'second']);
    expect(by.server.toolChanges).toEqual([['first', 'second']]);
  });

  it('D21: is asked once at a time, and once more for all that it said meanwhile', async () => {
    const by = new ListedByHand();
    await using _ = by.server;
    await by.start();
    await by.announce(3);
    expect(by.requests).toHaveLength(1);
    await by.announce(5);
    expect(by.requests).toHaveLength(1);
    await by.answer('old');
    expect(by.requests).toHaveLength(1);
    await by.answer('new');
    expect(by.requests).toHaveLength(0);
    expect(by.server.toolNames).toEqual(['new']);
  });

  it('D22: keeps its old tools when it does not list the new ones, and can say so again', async () => {
    const by = new ListedByHand();
    await using _ = by.server;
    await by.start();
    await by.announce();
    const id = by.requests.shift()?.id;
    by.fake.send(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"busy"}}`);
    await nextTurn();
    await nextTurn();
    expect(by.server.toolNames).toEqual(['first']);
    expect(by.server.upstream.state.kind).toBe('running');
    expect(by.rig.logger.records).toContainEqual({
      level: 'warn',
      message: 'could not list the tools again',
      fields: { server: 'fixture', problem: 'the server answered {"code":-32603,"message":"busy"}' },
    });
    await by.announce();
    await by.answer('second');
    expect(by.server.toolNames).toEqual(['second']);
  });

  it('and exits before it lists them changes nothing', async () => {
    const by = new ListedByHand();
    await using _ = by.server;
    await by.start();
    await by.announce();
    by.fake.exit(1);
    await by.server.untilState('crashed');
    await nextTurn();
    expect(by.server.toolChanges).toEqual([]);
    await by.server.upstream.reload(0, { eofGraceMs: 0, termGraceMs: 0 });
    expect(by.server.toolNames).toEqual(['first']);
  });

  it('while it is still listing them for the first time is asked again', async () => {
    const open: FakeRequest[] = [];
    const page = ({ id }: FakeRequest, ...tools: readonly string[]): string =>
      JSON.stringify({ jsonrpc: '2.0', id, result: { tools: tools.map(toolOf) } });
    /** Answers what was asked so far in one write: the rest of the first list, and whatever came after it. */
    const flush = async (fake: FakeServer): Promise<void> => {
      await nextTurn();
      await nextTurn();
      const [secondPage, ...later] = open.splice(0);
      if (secondPage !== undefined) fake.send(page(secondPage), ...later.map((list) => page(list, 'new')));
    };
    let lists = 0;
    const spawner = new FakeSpawner(() => ({
      intercept: (request, proceed, fake) => {
        if (request.method !== 'tools/list') return proceed();
        lists += 1;
        if (lists === 1) return fake.answer(request, { tools: [{ name: 'old' }], nextCursor: 'second' });
        open.push(request);
        // What was listed on the first page is out of date by now.
        if (lists === 2) fake.send(LIST_CHANGED);
        if (lists === 2) void flush(fake);
        else if (open[0] === request) fake.send(page(request, 'new'));
      },
    }));
    await using server = new RecordedUpstream(CONFIG, fakeUpstreamRig(spawner).components);
    await server.upstream.start();
    await server.until(() => server.toolChanges.length > 0);
    expect(server.toolNames).toEqual(['new']);
  });

  it('C8: and lists the same as before is announced to nobody', async () => {
    const by = new ListedByHand();
    await using _ = by.server;
    await by.start();
    await by.announce();
    await by.answer('first');
    expect(by.server.toolChanges).toEqual([]);
    await by.announce();
    await by.answer('second', 'first');
    await by.announce();
    await by.answer('first', 'second');
    expect(by.server.toolChanges).toEqual([
      ['second', 'first'],
      ['first', 'second'],
    ]);
  });

  it('warns of what is wrong with its list', async () => {
    const by = new ListedByHand();
    await using _ = by.server;
    await by.start();
    await by.announce();
    await by.answer('twice', 'twice');
    expect(by.server.upstream.warnings).toEqual(['tool "twice" is listed twice; the first one counts']);
    expect(by.rig.logger.messages('warn')).toEqual(['tool "twice" is listed twice; the first one counts']);
    await by.announce();
    await by.answer('once');
    expect(by.server.upstream.warnings).toEqual([]);
  });
});
