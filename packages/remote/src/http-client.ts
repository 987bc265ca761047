import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type Agent,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';

import { errorCodeOf } from '@mcpmux/kit';
import { largeReadBuffer } from '@mcpmux/wire';
import { BodySource, type BodyLimits } from './body-source.js';
import { decodedResponse } from './decoded-response.js';
import type { Fetch } from './fetch.js';
import { Sending } from './sending.js';

/** An HTTP request. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
  /** True if the request can safely be sent twice. */
  readonly isRepeatable?: boolean | undefined;
}

/** Without this header, the server could use any coding (RFC 9110, 12.5.3). */
const IDENTITY_ENCODING = { 'accept-encoding': 'identity' };
/** The statuses of responses without a body. */
const BODILESS_STATUSES = new Set([204, 205, 304]);
/**
 * How long a connection may be idle before it is no longer reused, in milliseconds. Later, the peer or a load balancer
 * may have closed it.
 */
const MAX_IDLE_MS = 4000;
/** The error codes for a connection closed by the peer. */
const CLOSED_SOCKET_CODES = new Set(['ECONNRESET', 'EPIPE']);

/**
 * An HTTP client over `node:http` with its own sockets, which close when the client is destroyed. Unlike the built-in
 * `fetch`, it has no response timeout, and applies backpressure while a body is not read. It does not follow redirects.
 */
export class HttpClient {
  private readonly agents;
  private lastUrlOptions: { readonly url: URL; readonly options: RequestOptions } | undefined;

  /**
   * @param lookup resolves host names; defaults to the system's lookup
   * @param keepAlive true to reuse connections, which the peer may close at any moment while they are idle
   */
  constructor(
    private readonly limits: BodyLimits,
    private readonly lookup?: LookupFunction,
    keepAlive = true,
  ) {
    this.agents = {
      http: withSharedReads(new HttpAgent({ keepAlive, timeout: MAX_IDLE_MS })),
      https: withSharedReads(new HttpsAgent({ keepAlive, timeout: MAX_IDLE_MS })),
    };
  }

  /**
   * Resolves when the response has begun. The body emits later errors. If a reused connection proves to be closed,
   * closes all idle connections and, if the request is repeatable, sends it once more.
   */
  async send(url: URL, init: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    const request = this.createRequest(url, init.method, init.headers);
    const whenAnswered = responseTo(request);
    sending.setRequest(request);
    request.end(init.body);
    try {
      return await whenAnswered;
    } catch (error) {
      if (sending.isAborted || !request.reusedSocket || !CLOSED_SOCKET_CODES.has(errorCodeOf(error) ?? ''))
        throw error;
      this.dropIdleConnections();
      if (init.isRepeatable !== true) throw error;
      return this.send(url, { ...init, isRepeatable: false }, sending);
    }
  }

  /** Sends a request through the `fetch` interface that the official SDK uses. */
  readonly fetch: Fetch = async (input, { method = 'GET', headers, body, signal } = {}) => {
    const sending = new Sending();
    const abort = (): void => sending.abort();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
    const request = { method, headers: Object.fromEntries(new Headers(headers)), body: bodyText(body) };
    return this.toResponse(await this.send(new URL(input), request, sending));
  };

  /** Closes all connections at once. */
  destroy(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private dropIdleConnections(): void {
    for (const { freeSockets } of [this.agents.http, this.agents.https])
      for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }

  private createRequest(url: URL, method: string, headers: HttpRequest['headers']): ClientRequest {
    const isSecure = url.protocol === 'https:';
    // The options are cached, because most requests go to the same URL as the previous one.
    if (this.lastUrlOptions?.url !== url) {
      const agent = isSecure ? this.agents.https : this.agents.http;
      this.lastUrlOptions = {
        url,
        options: { ...addressOptions(url), agent, ...(this.lookup && { lookup: this.lookup }) },
      };
    }
    return (isSecure ? httpsRequest : httpRequest)({
      ...this.lastUrlOptions.options,
      method,
      headers: { ...IDENTITY_ENCODING, ...headers },
    });
  }

  private toResponse(message: IncomingMessage): Response {
    const status = message.statusCode ?? 0;
    const headers = headersOf(message);
    const hasBody = !BODILESS_STATUSES.has(status);
    if (!hasBody) message.resume();
    const body = hasBody ? new ReadableStream(new BodySource(message, this.limits)) : null;
    // A status that the `Response` class does not accept is reported as 502 Bad Gateway.
    const isResponseStatus = status >= 200 && status <= 599;
    return new Response(body, { status: isResponseStatus ? status : 502, headers });
  }
}

/** Returns a response's headers. Repeated headers stay separate. */
export function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/** Returns only the options that a URL requires, because Node.js copies all options several times per request. */
function addressOptions(url: URL): RequestOptions {
  const { hostname, port, path, auth } = urlToHttpOptions(url);
  return { hostname, port, path, ...(typeof auth === 'string' && { auth }) };
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', (message) => {
      message.on('error', ignoreError);
      try {
        const decodedMessage = decodedResponse(message);
        decodedMessage.on('error', ignoreError);
        resolve(decodedMessage);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.on('error', reject);
  });
}

function ignoreError(): void {
  // The promise that `send` returned reports the error.
}

/** Returns a body as text. The SDK sends only text. */
function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only text can be sent');
}

/**
 * Makes an agent's connections read into memory that all streams share. This is safe, because the parser of `node:http`
 * copies each part of a body. Allocating and collecting memory for each read took a fifth of the time of a call with a
 * response of 100 KB.
 */
function withSharedReads<A extends Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, ...rest) => {
    const callback = (length: number, read: Buffer): boolean => {
      socket?.emit('data', read.subarray(0, length));
      return true;
    };
    const onread = { buffer: largeReadBuffer(), callback };
    const socket = connect(Object.assign(options, { onread }), ...rest);
    // An idle socket has no error listener, but the request that last used it may still be aborted.
    return socket?.on('error', ignoreError);
  };
  return agent;
}
