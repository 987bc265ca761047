import { nextTurn } from '@mcpmux/testing/next-turn';
import { describe, expect, it } from 'vitest';

import { connected } from '../../../testing/connected.js';
import { NO_CLIENT } from '../client-profile.js';
import { ModernServerDialect } from './server-dialect.js';

const KEY = 'io.modelcontextprotocol/subscriptionId';
const FLAGS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const TIMEOUT_MS = 1000;

interface Sent {
  readonly id?: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A run that listens to a server, which the test plays. */
function listening() {
  const rig = connected();
  const { connection, server, clock, notifications } = rig;
  const dialect = new ModernServerDialect({ name: 'mcpmux', version: '1' }, NO_CLIENT, clock);
  dialect.begin(connection, TIMEOUT_MS);
  const sent = (): Sent[] => server.received.map((line) => JSON.parse(line) as Sent);
  return {
    ...rig,
    dialect,
    /** What is listened to, request by request; ids that were cancelled are numbers. */
    history: async () => {
      await nextTurn();
      return sent().map(({ method, params }) =>
        method === 'subscriptions/listen' ? params['notifications'] : params['requestId'],
      );
    },
    acknowledge: async (id: number, resourceSubscriptions: readonly string[] = []) => {
      await nextTurn();
      const params = { notifications: { ...FLAGS, resourceSubscriptions }, _meta: { [KEY]: id } };
      server.send(
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }),
      );
      await nextTurn();
    },
    report: async (id: number, method: string) => {
      server.send(JSON.stringify({ jsonrpc: '2.0', method, params: { uri: 'a:/', _meta: { [KEY]: id } } }));
      await nextTurn();
    },
    subscribe: (uri: string) => dialect.subscribe(connection, uri, TIMEOUT_MS),
    unsubscribe: (uri: string) => dialect.unsubscribe(connection, uri, TIMEOUT_MS),
    clock,
    notifications,
  };
}

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/tools/list_changed';

describe('what mcpmux listens to at a modern server', () => {
  it('is one request for all lists, which the server acknowledges for mcpmux alone', async () => {
    const run = listening();
    await run.acknowledge(1);
    await expect(run.history()).resolves.toEqual([FLAGS]);
    await run.report(1, LIST_CHANGED);
    expect(run.notifications).toEqual([LIST_CHANGED]);
    expect(run.dialect.isStale('tools/list')).toBe(false);
  });

  it('is opened anew for a resource, and given up after the new one is acknowledged', async () => {
    const run = listening();
    await run.acknowledge(1);
    const subscribed = run.subscribe('a:/');
    await expect(run.history()).resolves.toEqual([FLAGS, { ...FLAGS, resourceSubscriptions: ['a:/'] }]);
    await run.report(1, LIST_CHANGED);
    await run.acknowledge(2, ['a:/']);
    await subscribed;
    await expect(run.history()).resolves.toEqual([FLAGS, { ...FLAGS, resourceSubscriptions: ['a:/'] }, 1]);
    // Of a change that the server told of under both, one is for others.
    await run.report(1, UPDATED);
    await run.report(2, UPDATED);
    expect(run.notifications).toEqual([LIST_CHANGED, UPDATED]);
  });

  it('is opened once for resources that are asked for together', async () => {
    const run = listening();
    await run.acknowledge(1);
    const subscribed = ['a:/', 'b:/', 'c:/'].map((uri) => run.subscribe(uri));
    await run.acknowledge(2, ['a:/', 'b:/', 'c:/']);
    await Promise.all(subscribed);
    const [, second, ...others] = await run.history();
    expect(second).toMatchObject({ resourceSubscriptions: ['a:/', 'b:/', 'c:/'] });
    expect(others).toEqual([1]);
  });

  it('is no resource that the server does not acknowledge', async () => {
    const run = listening();
    await run.acknowledge(1);
    const refused = run.subscribe('x:/').catch((error: unknown) => error);
    await run.acknowledge(2, []);
    await expect(refused).resolves.toMatchObject({ code: -32_602 });
  });

  it('is not a resource any more that nobody wants', async () => {
    const run = listening();
    await run.acknowledge(1);
    const subscribed = run.subscribe('a:/');
    await run.acknowledge(2, ['a:/']);
    await subscribed;
    const given = run.unsubscribe('a:/');
    await run.acknowledge(3);
    await given;
    await expect(run.history()).resolves.toEqual([
      FLAGS,
      { ...FLAGS, resourceSubscriptions: ['a:/'] },
      1,
      FLAGS,
      2,
    ]);
  });

  it('is nothing at a server that does not know how: its lists are read again when they are old', async () => {
    const run = listening();
    await nextTurn();
    run.server.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}');
    await nextTurn();
    await expect(run.subscribe('a:/')).rejects.toMatchObject({ code: -32_601 });
    await expect(run.history()).resolves.toEqual([FLAGS]);
    const page = Buffer.from('{"ttlMs":5000}');
    run.dialect.onListPage('tools/list', { line: page, result: { start: 0, end: page.length } });
    expect(run.dialect.isStale('tools/list')).toBe(false);
    run.clock.advance(5000);
    expect(run.dialect.isStale('tools/list')).toBe(true);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  ])('is listened to again when the server ends it, and then anything may have changed: %s', async (end) => {
    const run = listening();
    await run.acknowledge(1);
    run.server.send(end);
    await nextTurn();
    run.clock.advance(TIMEOUT_MS);
    await run.acknowledge(2);
    await expect(run.history()).resolves.toEqual([FLAGS, FLAGS]);
    expect(run.notifications).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
  });

  it('ends with the run, without another try', async () => {
    const run = listening();
    await run.acknowledge(1);
    run.connection.failAll({ kind: 'removed' });
    expect(run.clock.timerCount).toBe(0);
  });

  it('does not keep the run from being idle', async () => {
    const run = listening();
    await run.acknowledge(1);
    await expect(run.connection.calls.whenIdle()).resolves.toBeUndefined();
  });
});
