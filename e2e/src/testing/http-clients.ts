import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import type { CallExtras } from './agents.js';

export interface HttpClientOptions {
  readonly token?: string;
  /** Answers what servers ask a person. */
  readonly elicit?: (message: string) => string;
}

/** A real SDK client over Streamable HTTP. */
export interface HttpClient extends AsyncDisposable {
  readonly sessionId: string | undefined;
  /** Resolves at the next announcement that tools have changed. */
  nextListChanged(): Promise<void>;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>, extras?: CallExtras): Promise<string>;
  /** Ends the session by DELETE. */
  terminate(): Promise<void>;
}

function textOf({ content }: Readonly<Record<string, unknown>>): string {
  const blocks = (content ?? []) as readonly { readonly text?: string }[];
  return blocks.map(({ text = '' }) => text).join('\n');
}

class Announcements {
  private readonly waiting: (() => void)[] = [];

  arrived(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

const CAPABILITIES = { capabilities: { elicitation: {} } };

function requestInit({ token }: HttpClientOptions): { readonly requestInit?: RequestInit } {
  return token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

function connectV1(url: URL, options: HttpClientOptions = {}): Promise<HttpClient> {
  const transport = new TransportV1(url, requestInit(options));
  return connectedV1(transport, () => transport.terminateSession(), options);
}

/** Over the deprecated transport of 2024-11-05, where a session ends with its stream. */
async function connectSse(url: URL): Promise<HttpClient> {
  const transport = new SSEClientTransport(url);
  return connectedV1(transport, () => transport.close(), {});
}

async function connectedV1(
  transport: TransportV1 | SSEClientTransport,
  terminate: () => Promise<void>,
  options: HttpClientOptions,
): Promise<HttpClient> {
  const client = new ClientV1({ name: 'http-v1', version: '1' }, CAPABILITIES);
  const announcements = new Announcements();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => announcements.arrived());
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    content: { answer: options.elicit?.(params.message) ?? '' },
  }));
  await client.connect(transport);
  return {
    get sessionId() {
      return 'sessionId' in transport ? transport.sessionId : undefined;
    },
    nextListChanged: () => announcements.next(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { onProgress } = {}) =>
      textOf(
        await client.callTool({ name, arguments: args }, undefined, onProgress && { onprogress: onProgress }),
      ),
    terminate,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function connectV2(url: URL, options: HttpClientOptions = {}): Promise<HttpClient> {
  return connectedV2(url, options, 'legacy');
}

/** Without a session: in 2026-07-28, if that is what the two negotiate. */
function connectModern(
  mode: VersionNegotiationMode,
): (url: URL, options?: HttpClientOptions) => Promise<HttpClient> {
  return async (url, options = {}) => {
    const client = await connectedV2(url, options, mode);
    if (client.revision !== '2026-07-28') throw new Error(`negotiated ${client.revision}`);
    return client;
  };
}

async function connectedV2(
  url: URL,
  options: HttpClientOptions,
  mode: VersionNegotiationMode,
): Promise<HttpClient & { readonly revision: string | undefined }> {
  const announcements = new Announcements();
  const versionNegotiation = { mode };
  const client = new ClientV2({ name: 'http-v2', version: '1' }, { ...CAPABILITIES, versionNegotiation });
  client.setNotificationHandler('notifications/tools/list_changed', () => announcements.arrived());
  const transport = new TransportV2(url, requestInit(options));
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: { answer: options.elicit?.(params.message) ?? '' },
  }));
  await client.connect(transport);
  if (client.getProtocolEra() === 'modern') await client.listen({ toolsListChanged: true });
  return {
    revision: client.getNegotiatedProtocolVersion(),
    get sessionId() {
      return transport.sessionId;
    },
    nextListChanged: () => announcements.next(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}, { onProgress } = {}) =>
      textOf(await client.callTool({ name, arguments: args }, onProgress && { onprogress: onProgress })),
    terminate: () => transport.terminateSession(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The clients that programs are built with. */
export const HTTP_CLIENTS = [
  ['SDK v1 client', connectV1],
  ['SDK v2 client', connectV2],
  ['SDK v2 client (auto) that negotiated 2026-07-28', connectModern('auto')],
  ['SDK v2 client (pinned) that negotiated 2026-07-28', connectModern({ pin: '2026-07-28' })],
] as const;

export { connectSse, connectV1, connectV2 };
