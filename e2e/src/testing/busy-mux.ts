import process from 'node:process';

import type { ClientStatus, MuxEventMap, NumberedEvent, ServerStatus, SessionMessage } from '@mcpmux/core';

export const SERVERS = 200;
const TOOLS_EACH = 50;
const CALLS_PER_SECOND = 5000;
const TURNS_PER_SECOND = 50;

type Start = MuxEventMap['call:start'];
type End = MuxEventMap['call:end'];

const TEXT = JSON.stringify({ jsonrpc: '2.0', id: 1, params: { text: 'x'.repeat(500) } });

const CRASH_SECONDS = 4;

const CRASHED = {
  status: 'crashed',
  restart: 'always',
  restart_state: 'waiting',
  last_error: {
    message: 'The server exited with code 1.',
    exit_code: 1,
    stderr_tail: Array.from({ length: 20 }, (_, line) => `line ${line} of the end of a server`),
  },
} as const;

function running(seconds: number) {
  return {
    status: 'running',
    pid: process.pid,
    uptime_seconds: seconds,
    protocol_version: '2025-11-25',
    era: 'legacy',
  } as const;
}

/** Stands in for a mux with many servers, tools and calls, so that the page alone is measured. */
export class BusyMux {
  readonly instanceId = 'busy';
  readonly lastEvent = 0;
  /** No call waits for an approval. */
  readonly approvals = { list: () => [], answer: () => false, watch: () => () => undefined };
  private readonly starts = new Set<(event: Start) => void>();
  private readonly ends = new Set<(event: End) => void>();
  private readonly startedAt = Date.now();
  private calls = 0;
  private readonly timer = setInterval(() => this.turn(), 1000 / TURNS_PER_SECOND);
  private readonly tools = Array.from({ length: SERVERS * TOOLS_EACH }, (_, index) => ({
    name: `server${index % SERVERS}__tool_${index}`,
    description: `Does the thing with the number ${index}, and tells how it went. `.repeat(3),
    inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
  }));

  on(type: string, listener: (event: never) => void): () => void {
    const all = (type === 'call:start' ? this.starts : this.ends) as Set<(event: never) => void>;
    all.add(listener);
    return () => all.delete(listener);
  }

  async *events(): AsyncGenerator<NumberedEvent, undefined> {
    for (let sequence = 1; ; sequence += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const server = `server${sequence % SERVERS}`;
      const line = `line ${sequence} of a server that writes a lot`;
      yield { type: 'server:stderr', sequence, time: Date.now(), server, line };
    }
  }

  /** Every forty servers one has crashed, each time another one. */
  listServers(): readonly ServerStatus[] {
    const seconds = Math.floor((Date.now() - this.startedAt) / 1000);
    return Array.from({ length: SERVERS }, (_, index) => ({
      name: `server${index}`,
      command: 'node',
      args: ['server.js', String(index)],
      tools: Array.from(
        { length: TOOLS_EACH },
        (__, tool) => `server${index}__tool_${index + tool * SERVERS}`,
      ),
      restarts: Math.floor(seconds / CRASH_SECONDS),
      dropped_lines: 0,
      ...((index + Math.floor(seconds / CRASH_SECONDS)) % 40 === 0 ? CRASHED : running(seconds)),
    }));
  }

  /** The calls of one server, with those of this moment. */
  callsOf = ({ server }: { readonly server: string }) => {
    const count = Math.floor(this.calls / SERVERS);
    const slow = Number(server.slice('server'.length));
    return {
      count,
      failed: Math.floor(count / 100),
      running: count % 3,
      p50: 2 + (count % 5),
      p95: 9 + slow,
    };
  };

  listClients(): readonly ClientStatus[] {
    const about = {
      era: 'legacy',
      protocol_version: '2025-11-25',
      capabilities: [],
      principal: 'local',
    } as const;
    return [{ ...about, session: 1, client: 'load 1', connected_seconds: 5, in_flight: 3 }];
  }

  listChangedTools(): readonly [] {
    return [];
  }

  listUnlistedTools(): readonly [] {
    return [];
  }

  /** As many messages as the mux lists of a busy session: 20 in a tenth of a second. */
  async *messages(): AsyncGenerator<SessionMessage, undefined> {
    for (let count = 0; ; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const from = count % 2 === 0 ? 'client' : 'mcpmux';
      const kind = count % 2 === 0 ? 'request' : 'result';
      const id = String(Math.floor(count / 2));
      yield {
        type: 'message',
        time: Date.now(),
        from,
        kind,
        id,
        method: 'tools/call',
        bytes: 200,
        text: TEXT,
      };
    }
  }

  handle(
    message: Uint8Array,
    _: object,
    reply: (line: Uint8Array, isResponse: boolean) => void,
  ): Promise<void> {
    const { id, method, params } = JSON.parse(Buffer.from(message).toString()) as {
      readonly id: unknown;
      readonly method: string;
      readonly params: { readonly cursor?: string };
    };
    const from = Number(params.cursor ?? 0);
    const page = { tools: this.tools.slice(from, from + 1000), nextCursor: String(from + 1000) };
    const isLast = from + 1000 >= this.tools.length;
    const result = method === 'tools/list' ? { ...page, ...(isLast && { nextCursor: undefined }) } : {};
    reply(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result })), true);
    return Promise.resolve();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private turn(): void {
    for (let index = 0; index < CALLS_PER_SECOND / TURNS_PER_SECOND; index += 1) {
      this.calls += 1;
      const call = this.calls;
      const about = { server: `server${call % SERVERS}`, tool: `tool_${call % TOOLS_EACH}`, call };
      const details = index < 4 ? { session: 1, client: 'load 1', bytes: 200, arguments: '{"a":"x"}' } : {};
      for (const listener of this.starts) listener({ ...about, ...details });
      for (const listener of this.ends)
        listener({
          ...about,
          ms: 3,
          ending: 'result',
          ...(index < 4 && { bytes: 300, result: '{"content":[]}' }),
        });
    }
  }
}
