import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { createMux, nullLogger, type Channel, type Mux } from '@mcpmux/core';

import { connectOptions } from '../entrance/caller.js';
import { messageHandlerFor } from '../modern/modern-posts.js';
import { FrontServer, type FrontServerOptions } from '../front-server.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../session/http-limits.js';
import { FrontMetrics } from '../metrics/front-metrics.js';

/** What came so far of an answer that goes on. */
export interface OpenAnswer {
  readonly status: number;
  readonly id: string | undefined;
  readonly response: IncomingMessage;
  text: string;
  /** Resolves when the text holds that. */
  until(part: string): Promise<void>;
  /** Resolves when nothing more will come, however it ended. */
  readonly ended: Promise<void>;
  destroy(): void;
}

/** What a test says about a front. */
export interface FrontRigInit {
  readonly limits?: Partial<HttpLimits>;
  readonly entrance?: Pick<FrontServerOptions, 'credentials' | 'metadata'>;
  readonly mux?: Mux;
  /** A server that a client adds is visible to its session alone. */
  readonly isolated?: boolean;
  /** Also serves the transport of 2024-11-05. */
  readonly sse?: boolean;
}

/** What a mux was connected to. */
export class RigLink {
  constructor(private readonly channel: Channel) {}

  /** Sends a message as the mux would. Resolves when there is room for the next one. */
  async send(message: object): Promise<void> {
    this.channel.send(Buffer.from(`${JSON.stringify(message)}\n`));
    await turn();
  }
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** A front in this process, with a real mux behind it and time that the test tells. */
export class FrontRig implements AsyncDisposable {
  readonly clock = { now: 0 };
  /** What the mux was connected to, in the order of the sessions. */
  readonly links: RigLink[] = [];
  readonly mux: Mux;
  readonly front: FrontServer;
  url = new URL('http://not.listening');

  private constructor({
    limits,
    entrance,
    mux = createMux({ addPolicy: { mode: 'allow' } }),
    isolated,
    sse,
  }: FrontRigInit) {
    this.mux = mux;
    const now = (): number => this.clock.now;
    this.front = new FrontServer(
      {
        host: '127.0.0.1',
        port: 0,
        allowHosts: [],
        allowOrigins: [],
        credentials: entrance?.credentials,
        metadata: entrance?.metadata,
        limits: { ...DEFAULT_HTTP_LIMITS, ...limits },
        sse: sse === true,
      },
      {
        instanceId: this.mux.instanceId,
        openMuxSession: (link, caller) => {
          this.links.push(new RigLink(link));
          return this.mux.connect(link, connectOptions(caller, isolated));
        },
        handleMessage: messageHandlerFor(this.mux, isolated),
        logger: nullLogger,
        now,
        metrics: new FrontMetrics(now),
        servePage: () => false,
      },
    );
  }

  static open(limits: Partial<HttpLimits> = {}): Promise<FrontRig> {
    return FrontRig.guarded({ limits });
  }

  /** One that asks for tokens. */
  static async guarded(init: FrontRigInit): Promise<FrontRig> {
    const rig = new FrontRig(init);
    rig.url = new URL(await rig.front.listen());
    return rig;
  }

  /** Sends a request and resolves with what has begun to come back. */
  async send(
    method: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<OpenAnswer> {
    return this.sendText(method, headers, body && JSON.stringify(body));
  }

  /** The same with a body as it is. */
  async sendText(
    method: string,
    headers: Readonly<Record<string, string>>,
    body: string | Buffer | undefined,
  ): Promise<OpenAnswer> {
    const outgoing = request(this.url, { method, headers: { ...HEADERS, ...headers }, agent: false });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return openAnswer(response);
  }

  /** Opens a session and gives the header that its requests carry. */
  async session(
    protocolVersion = '2025-11-25',
    capabilities: object = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ 'mcp-session-id': string }> {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '1' } };
    const answer = await this.send('POST', more, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await answer.ended;
    const headers = { ...more, 'mcp-session-id': answer.id ?? '' };
    await (
      await this.send('POST', headers, { jsonrpc: '2.0', method: 'notifications/initialized' })
    ).ended;
    return headers;
  }

  /** Resolves when no client is connected. */
  async noConnection(): Promise<void> {
    while ((await this.front.connectionCount()) > 0) await turn();
  }

  /** Resolves when that is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await turn();
  }

  /** A connection for bytes that no HTTP client would send. */
  socket(): Socket {
    return connect(Number(this.url.port), this.url.hostname).on('error', () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.front.drain(() => Promise.resolve());
    await this.mux.close();
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function openAnswer(response: IncomingMessage): OpenAnswer {
  const id = response.headers['mcp-session-id'];
  const answer: OpenAnswer = {
    status: response.statusCode ?? 0,
    id: typeof id === 'string' ? id : undefined,
    response,
    text: '',
    async until(part) {
      while (!answer.text.includes(part)) {
        if (response.closed) throw new Error(`the answer has ended with ${answer.text}`);
        await Promise.race([once(response, 'data'), once(response, 'close')]);
      }
    },
    ended: new Promise((resolve) => response.once('close', () => resolve())),
    destroy: () => response.destroy(),
  };
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => (answer.text += chunk.toString()));
  return answer;
}

/** The ids of the events in the text of a stream. */
export function eventIds(text: string): readonly string[] {
  return [...text.matchAll(/^id: (\S+)$/gm)].map(([, id = '']) => id);
}

/** The messages in the text of a stream, or the one that is all of a body. */
export function messagesIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  if (text.startsWith('{')) return [JSON.parse(text) as Record<string, unknown>];
  return [...text.matchAll(/^data: (\{.+)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
  );
}

/** The answers among them. */
export function answersIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  return messagesIn(text).filter((message) => 'id' in message);
}
