import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { openRoundRobin } from '@mcpmux/testing/round-robin';
import { describe, expect, it } from 'vitest';

import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { ACCEPT, INITIALIZE } from './testing/http-cli.js';
import { HTTP_CLIENTS, connectV1 } from './testing/http-clients.js';

const NODES = ['a', 'b', 'c'];
const QUESTION = {
  method: 'elicitation/create',
  params: {
    message: 'Which one?',
    requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
  },
};

describe.skipIf(!hasNatsServer)('behind a balancer that knows nothing of sessions', () => {
  it.each(HTTP_CLIENTS)(
    'K13: the %s is asked by servers, and ends its session on every node',
    async (name, connect) => {
      const isModern = name.includes('2026-07-28');
      const server = isModern ? 'modern-asking' : 'interactive';
      await using cluster = await ClusterNodes.open(NODES, fixtureServers({ [server]: { host: 'b' } }));
      await using balancer = await openRoundRobin(cluster.urls);
      const asked: string[] = [];
      await using client = await connect(balancer.url, {
        elicit: (message) => {
          asked.push(message);
          return 'this one';
        },
      });
      const [tool, args] = isModern ? ['modern-asking__form', {}] : ['interactive__ask', QUESTION];
      await expect.poll(() => client.tools()).toContain(tool);
      for (let count = 0; count < 6; count += 1)
        expect(await client.call(tool, { ...args })).toContain('accept');
      expect(asked).toHaveLength(6);
      await client.terminate();
      for (const node of NODES)
        await expect.poll(() => cluster.figure(node, 'sessions').catch(String)).toBe(0);
    },
  );

  it('K13: a stream that breaks is resumed over another node, and no event of it is lost or repeated', async () => {
    await using cluster = await ClusterNodes.open(NODES, fixtureServers({ 'hold-calls': { host: 'b' } }));
    await using balancer = await openRoundRobin(cluster.urls);
    const { url } = balancer;
    await using other = await connectV1(url);
    await expect.poll(() => other.call('hold-calls__release', { key: 'none' }).catch(String)).toBe('0');
    const session = await opened(url);
    const headers = { ...ACCEPT, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    for (const key of ['one', 'two', 'three']) {
      const cut = new AbortController();
      const params = { name: 'hold-calls__hold', arguments: { key } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: key, method: 'tools/call', params });
      const held = await fetch(url, { method: 'POST', headers, body, signal: cut.signal });
      const begun = await textUntil(held, /^id: (\S+)/m);
      cut.abort();
      await expect.poll(() => other.call('hold-calls__release', { key })).toBe('1');
      const resumed = await fetch(url, { headers: { ...headers, 'last-event-id': idOf(begun) } });
      expect(resumed.status).toBe(200);
      const text = await textUntil(resumed, new RegExp(`"id":"${key}"`));
      expect(text.match(new RegExp(`released ${key}`, 'g'))).toHaveLength(1);
    }
    const deleted = await fetch(url, { method: 'DELETE', headers });
    expect(deleted.ok).toBe(true);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' });
    const statuses = await Promise.all(
      cluster.urls.map(async (node) => (await fetch(node, { method: 'POST', headers, body })).status),
    );
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('K14: a call needs one message there and one back, and no node but its two gets any', async () => {
    await using cluster = await ClusterNodes.open(NODES, fixtureServers({ echo: { host: 'b' } }));
    await using client = await connectV1(cluster.node('a').url);
    await expect.poll(() => client.call('echo__echo', { message: 'm' }).catch(String)).toBe('m');
    const before = await messagesOf(cluster);
    for (let count = 0; count < 500; count += 1) await client.call('echo__echo', { message: 'm' });
    const after = await messagesOf(cluster);
    // Signs of life of nodes and links come between.
    expect(after.received - before.received).toBeGreaterThanOrEqual(1000);
    expect(after.received - before.received).toBeLessThan(1500);
    expect(after.sent - before.sent).toBeLessThan(1800);
  });
});

/** The messages that NATS has received and sent. */
async function messagesOf({ nats: [server] }: ClusterNodes) {
  const response = await fetch(new URL('/varz', server?.monitorUrl));
  const { in_msgs: received, out_msgs: sent } = (await response.json()) as {
    in_msgs: number;
    out_msgs: number;
  };
  return { received, sent };
}

/** Opens a session, and gives its id. */
async function opened(url: URL): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: ACCEPT, body: JSON.stringify(INITIALIZE) });
  await response.text();
  const session = response.headers.get('mcp-session-id') ?? '';
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await fetch(url, { method: 'POST', headers: { ...ACCEPT, 'mcp-session-id': session }, body });
  return session;
}

/** What has come of a stream when that has come. The stream stays open. */
async function textUntil({ body }: Response, wanted: RegExp): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!wanted.test(text)) {
    const part = await reader?.read();
    if (part === undefined || part.done) throw new Error(`the stream ended with ${text}`);
    text += decoder.decode(part.value, { stream: true });
  }
  reader?.releaseLock();
  return text;
}

function idOf(text: string): string {
  return /^id: (\S+)/m.exec(text)?.[1] ?? '';
}
