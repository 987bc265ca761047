import { randomBytes } from 'node:crypto';

import { createMux, systemClock, type Mux } from '@mcpmux/core';
import { Links, MemoryNetwork } from '@mcpmux/cluster';
import { fixtureCommand } from '@mcpmux/test-servers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createHttpFront, type HttpFront } from './http-front.js';

/** Fronts of one address, in this process. */
class Fronts {
  readonly urls: string[] = [];
  private readonly fronts: HttpFront[] = [];
  private readonly muxes: Mux[] = [];
  private readonly network = new MemoryNetwork();
  private next = 0;
  /** What becomes of the other fronts: they are gone, or cannot be reached. */
  others: 'reached' | 'gone' | 'out of reach' = 'reached';

  async open(): Promise<void> {
    const mux = createMux({ firstEra: 'legacy' });
    await mux.addServer('interactive', fixtureCommand('interactive'));
    await mux.addServer('progress', fixtureCommand('progress'));
    await mux.addServer('hold-calls', fixtureCommand('hold-calls'));
    const name = String(this.fronts.length);
    const links: Links = new Links({
      cluster: this.network.join(),
      clock: systemClock,
      node: name,
      serve: () => (link) => front.accept(link),
    });
    const front = createHttpFront(mux, {
      peers: {
        newSessionId: () => `${randomBytes(16).toString('hex')}.${name}`,
        connect: (id) => {
          const owner = id.split('.')[1] ?? '';
          if (owner === name || this.fronts[Number(owner)] === undefined) return undefined;
          if (this.others === 'gone') return Promise.resolve('gone');
          return this.others === 'reached' ? links.open(owner, {}) : Promise.reject(new Error('no answer'));
        },
      },
    });
    this.fronts.push(front);
    this.muxes.push(mux);
    this.urls.push(await front.listen());
  }

  /** A balancer that sends each request to the next front, whatever the request is. */
  balanced = (_: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.next += 1;
    return fetch(this.urls[this.next % this.urls.length] ?? '', init);
  };

  /** The requests that a front has not answered. */
  async inFlight(index: number): Promise<number> {
    const page = await (await fetch(new URL('/metrics', this.urls[index]))).text();
    return Number(/^mcpmux_requests_in_flight (\d+)$/m.exec(page)?.[1]);
  }

  /** Ends one of the fronts. */
  end(index: number): Promise<void> {
    return this.fronts[index]?.close() ?? Promise.resolve();
  }

  async close(): Promise<void> {
    await Promise.all([...this.fronts, ...this.muxes].map((one) => one.close()));
  }
}

describe('a front that joins others', () => {
  it('answers MCP requests once it has joined, and the pages at once', async () => {
    const mux = createMux();
    let joined: () => void = () => undefined;
    let joining: Promise<void> | undefined = new Promise((resolve) => (joined = resolve));
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    await using front = createHttpFront(mux, {
      peers: {
        joining: () => {
          isAsked();
          return joining;
        },
        newSessionId: () => 'one',
        connect: () => undefined,
      },
    });
    const url = new URL(await front.listen());
    const client = new Client({ name: 'early', version: '1' });
    let isConnected = false;
    const connected = client.connect(new StreamableHTTPClientTransport(url)).then(() => (isConnected = true));
    await asked;
    expect(await (await fetch(new URL('/healthz', url))).text()).toBe('ok\n');
    expect(isConnected).toBe(false);
    await mux.addServer('progress', fixtureCommand('progress'));
    joining = undefined;
    joined();
    await connected;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('progress__count');
    await client.close();
    await mux.close();
  });
});

describe('a session behind a balancer that knows nothing of sessions', () => {
  const fronts = new Fronts();
  beforeAll(async () => {
    for (let count = 0; count < 3; count += 1) await fronts.open();
  });
  afterAll(() => fronts.close());

  async function client(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
    const transport = new StreamableHTTPClientTransport(new URL(fronts.urls[0] ?? ''), {
      fetch: fronts.balanced,
    });
    const made = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
    await made.connect(transport);
    return { client: made, transport };
  }

  it('is found from every front: "Session not found" comes from none', async () => {
    const { client: c, transport } = await client();
    for (let count = 0; count < 12; count += 1) expect((await c.listTools()).tools.length).toBeGreaterThan(0);
    await transport.terminateSession();
    await c.close();
  });

  it('gets progress, and the questions of servers', async () => {
    const { client: c } = await client();
    const messages: string[] = [];
    c.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      messages.push(params.message);
      return { action: 'accept', content: {} };
    });
    for (let count = 0; count < 4; count += 1) {
      const steps: number[] = [];
      await c.callTool({ name: 'progress__count', arguments: { n: 5 } }, undefined, {
        onprogress: ({ progress }) => steps.push(progress),
      });
      expect(steps).toEqual([1, 2, 3, 4, 5]);
      const params = { message: `q${count}`, requestedSchema: { type: 'object', properties: {} } };
      await c.callTool({ name: 'interactive__ask', arguments: { method: 'elicitation/create', params } });
    }
    expect(messages).toEqual(['q0', 'q1', 'q2', 'q3'].map((text) => `[interactive] ${text}`));
    await c.close();
  });

  it.each([
    // The client opens another session.
    ['gone', 404],
    // The client tries again with the same session.
    ['out of reach', 503],
  ] as const)('is answered by the other fronts, when its front is %s, with %i', async (others, status) => {
    const { client: c, transport } = await client();
    fronts.others = others;
    const statuses = await Promise.all(
      fronts.urls.map(async (url) => {
        const headers = {
          'mcp-session-id': transport.sessionId ?? '',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        };
        const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
        return (await fetch(url, { method: 'POST', headers, body })).status;
      }),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, status, status]);
    fronts.others = 'reached';
    await c.close();
  });

  it('gets the answer of a request through a front that ends meanwhile', async () => {
    const { client: c, transport } = await client();
    const home = Number((transport.sessionId ?? '').split('.')[1]);
    const [through, other] = [0, 1, 2].filter((one) => one !== home);
    const post = async (at: number | undefined, id: number, tool: string): Promise<Response> => {
      const headers = {
        'mcp-session-id': transport.sessionId ?? '',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      const params = { name: `hold-calls__${tool}`, arguments: { key: 'k' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
      return fetch(fronts.urls[at ?? 0] ?? '', { method: 'POST', headers, body });
    };
    const held = post(through, 101, 'hold');
    await expect.poll(() => fronts.inFlight(home)).toBe(1);
    const ended = fronts.end(through ?? 0);
    const released = await (await post(other, 102, 'release')).text();
    expect(released).toContain('"text":"1"');
    expect(await (await held).text()).toContain('released k');
    await ended;
    await c.close();
  });
});
