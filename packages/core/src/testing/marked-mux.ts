import { once } from 'node:events';

import type { ConnectOptions } from '../mux/connect-options.js';
import type { Mux } from '../mux/mux-api.js';
import { createMux } from '../mux/mux.js';
import { FakeSpawner, type FakeRequest, type FakeServer } from './fake-server.js';
import { MuxClient } from './mux-client.js';
import { nextTurn } from '@mcpmux/testing/next-turn';

/** A client whose every message bears its mark. */
export interface MarkedClient {
  readonly number: number;
  readonly isolated: boolean;
  readonly client: MuxClient;
  isGone: boolean;
}

/** A server whose every message bears its mark. */
export interface MarkedServer {
  readonly number: number;
  readonly name: string;
  readonly addedBy: MarkedClient;
}

/** A mux over fake servers. Whatever reaches a client or a server shows whose it is. */
export class MarkedMux implements AsyncDisposable {
  readonly clients: MarkedClient[] = [];
  readonly servers: MarkedServer[] = [];
  private readonly spawner = new FakeSpawner(({ args }) => ({
    intercept: (request, proceed, server) => answer(request, Number(args[0]), proceed, server),
  }));
  // a client here that lists nothing after an addition would be waited for, once for each
  private readonly mux: Mux = createMux(
    {},
    { spawn: this.spawner.spawn, environment: {}, limits: { listRhythmMs: 1 } },
  );

  async open(options: ConnectOptions & { readonly isolated: boolean }): Promise<void> {
    const number = this.clients.length;
    const capabilities = { sampling: {}, experimental: { [`CLIENT${number}x`]: {} } };
    const client = await MuxClient.initialized(this.mux, capabilities, options);
    this.clients.push({ number, isolated: options.isolated, client, isGone: false });
  }

  /** Adds a server; without a name, under one that nobody can guess. */
  async add(by: MarkedClient, name: string | undefined): Promise<void> {
    const number = this.servers.length;
    const given = name ?? `nMARK${number}x`;
    this.servers.push({ number, name: given, addedBy: by });
    // A program that is there: it is looked for before anything is started.
    const args = [String(number), `argMARK${number}x`];
    await by.client.call('add_server', { name: given, command: process.execPath, args });
  }

  /** Tries to reach a server by what it calls a tool, with and without its own name for it. */
  async reach(by: MarkedClient, server: MarkedServer): Promise<void> {
    const args = { from: `CLIENT${by.number}x` };
    const tool = `t${server.number}`;
    await by.client.call(tool, args);
    await by.client.request('resources/read', { uri: `x:u${server.number}`, ...args });
    await by.client.request('resources/subscribe', { uri: `x:u${server.number}`, ...args });
    if (server.name.includes('MARK')) return;
    await by.client.call(`${server.name}__${tool}`, args);
    await by.client.call('call_tool', { name: `${server.name}__${tool}`, arguments: args });
  }

  /** Asks for everything that there is to see. */
  async look(by: MarkedClient, name: string): Promise<void> {
    for (const method of ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list'])
      await by.client.request(method);
    for (const [tool, args] of Object.entries({
      list_servers: {},
      search_tools: { query: 'secret tool', limit: 100 },
      server_logs: { name },
    }))
      await by.client.call(tool, args);
    await by.client.call('nobody__has this', {});
  }

  /** A server says what nobody has asked for. */
  async speak(server: MarkedServer): Promise<void> {
    const mark = `MARK${server.number}x`;
    for (const fake of this.runsOf(server)) {
      fake.send(
        notification('message', { level: 'error', data: mark }),
        notification('resources/updated', { uri: `x:u${server.number}`, mark }),
        notification('tools/list_changed', { mark }),
        notification('whatever', { mark }),
        JSON.stringify({ jsonrpc: '2.0', id: mark, method: 'sampling/createMessage', params: { mark } }),
      );
      fake.child.stderr.write(`${mark}\n`);
    }
    await nextTurn();
  }

  crash(server: MarkedServer): void {
    for (const fake of this.runsOf(server)) fake.exit(1);
  }

  async leave(client: MarkedClient): Promise<void> {
    client.isGone = true;
    client.client.end();
    await client.client.session.closed;
  }

  /** What came to whom it must not: `client 1 heard of server 3`, `server 3 heard of client 1`. */
  get leaks(): readonly string[] {
    const toClients = this.clients.flatMap(({ number, client }) =>
      marksIn(client.lines, 'MARK')
        .filter((server) => !this.sees(number, server))
        .map((server) => `client ${number} heard of server ${server}`),
    );
    const toServers = this.spawner.servers.flatMap(({ spec, received }) => {
      const server = Number(spec.args[0]);
      return marksIn(received, 'CLIENT')
        .filter((client) => !this.sees(client, server))
        .map((client) => `server ${server} heard of client ${client}`);
    });
    return [...toClients, ...toServers];
  }

  /** Resolves when every run of the server has ended. */
  async ended(server: MarkedServer): Promise<void> {
    for (const fake of this.runsOf(server)) if (fake.isAlive) await once(fake.child, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mux.close();
  }

  private sees(client: number, server: number): boolean {
    const by = this.servers[server]?.addedBy;
    return by?.isolated === false || by?.number === client;
  }

  private runsOf({ number }: MarkedServer): readonly FakeServer[] {
    return this.spawner.servers.filter(({ spec }) => spec.args[0] === String(number));
  }
}

function marksIn(lines: readonly string[], kind: string): readonly number[] {
  const marks = lines.flatMap((line) => [...line.matchAll(new RegExp(`${kind}(\\d+)x`, 'g'))]);
  return [...new Set(marks.map(([, number]) => Number(number)))];
}

function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method: `notifications/${method}`, params });
}

function answer(request: FakeRequest, number: number, proceed: () => void, server: FakeServer): void {
  const mark = `MARK${number}x`;
  switch (request.method) {
    case 'initialize':
      return server.answer(request, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
        instructions: mark,
      });
    case 'tools/list':
      return server.answer(request, {
        tools: [`t${number}`, `secret${mark}`].map((name) => ({ name, inputSchema: { type: 'object' } })),
      });
    case 'resources/list':
      return server.answer(request, { resources: [{ uri: `x:${mark}`, name: mark }] });
    case 'resources/templates/list':
      return server.answer(request, { resourceTemplates: [] });
    case 'tools/call':
      return server.answer(request, {
        content: [{ type: 'resource_link', uri: `x:u${number}`, name: mark }],
      });
    case 'resources/read':
      return server.answer(request, { contents: [{ uri: `x:u${number}`, text: mark }] });
    case 'resources/subscribe':
    case 'logging/setLevel':
      return server.answer(request, {});
    default:
      return proceed();
  }
}
