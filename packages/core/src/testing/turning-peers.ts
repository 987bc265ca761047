import process from 'node:process';

import { createMux, type Mux } from '../index.js';
import { FakeSpawner, type FakeServer } from './fake-server.js';
import { MuxClient } from './mux-client.js';
import { nextTurn } from '@mcpmux/testing/next-turn';

const PATIENCE_TURNS = 500;

/** One end of a conversation: sends lines, and takes what it gets line by line. */
export class TurningPeer {
  private taken = 0;

  constructor(
    readonly name: string,
    private readonly lines: readonly string[],
    readonly send: (line: string) => void,
  ) {}

  /** The next line that it gets; rejects when none comes. Announcements of changed lists are passed over. */
  async next(): Promise<string> {
    for (let turn = 0; turn < PATIENCE_TURNS; turn += 1) {
      const line = this.take();
      if (line !== undefined) return line;
      await nextTurn();
    }
    throw new Error(`${this.name} gets nothing`);
  }

  /** What has come and was not taken. */
  async rest(): Promise<readonly string[]> {
    await nextTurn();
    await nextTurn();
    const left: string[] = [];
    for (let line = this.take(); line !== undefined; line = this.take()) left.push(line);
    return left;
  }

  private take(): string | undefined {
    while (this.lines[this.taken]?.includes('/list_changed"') === true) this.taken += 1;
    const line = this.lines[this.taken];
    if (line !== undefined) this.taken += 1;
    return line;
  }
}

/** A mux between clients and servers in memory, all of them played by the test. Every server has the tool `get`. */
export class TurningPeers implements AsyncDisposable {
  private constructor(
    private readonly mux: Mux,
    readonly clients: readonly TurningPeer[],
    readonly servers: readonly TurningPeer[],
  ) {}

  static async open(clientCount: number, serverNames: readonly string[]): Promise<TurningPeers> {
    const spawner = new FakeSpawner(() => ({
      tools: ['get'],
      intercept: ({ method }, proceed) => {
        if (method !== 'tools/call') proceed();
      },
    }));
    const mux = createMux({}, { spawn: spawner.spawn });
    const clients: TurningPeer[] = [];
    for (let index = 0; index < clientCount; index += 1) clients.push(await connectClient(mux, index));
    const servers: TurningPeer[] = [];
    for (const name of serverNames) {
      await mux.addServer(name, { command: process.execPath });
      servers.push(await serverPeer(name, spawner.last));
    }
    for (const client of clients) await client.rest();
    return new TurningPeers(mux, clients, servers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mux.close();
  }
}

async function connectClient(mux: Mux, index: number): Promise<TurningPeer> {
  const client = new MuxClient(mux);
  await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {}, elicitation: {}, roots: {} },
    clientInfo: { name: `client ${index}`, version: '1' },
  });
  client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return new TurningPeer(`client ${index}`, client.lines, (line) => client.send(line));
}

async function serverPeer(name: string, server: FakeServer): Promise<TurningPeer> {
  const peer = new TurningPeer(`server ${name}`, server.received, (line) => server.send(line));
  await peer.rest();
  return peer;
}
