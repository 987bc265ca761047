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
  /** True if sending the request twice does no harm. */
  readonly isRepeatable?: boolean | undefined;
}

/** Without this field, every coding would be acceptable (RFC 9110, 12.5.3). */
const UNENCODED = { 'accept-encoding': 'identity' };
/** Statuses whose responses have no body. */
const NO_BODY = new Set([204, 205, 304]);
/** A connection that was idle for this time is not reused, because the peer or a load balancer may have closed it. */
const MAX_IDLE_MS = 4000;
/** The error codes of a connection that the peer has closed. */
const GIVEN_UP = new Set(['ECONNRESET', 'EPIPE']);

/**
 * An HTTP client over `node:http` with its own sockets, which close when it is destroyed. Unlike the built-in `fetch`,
 * it has no timeout for a response, and it applies backpressure while the body is not read. It follows no redirects.
 */
export class HttpClient {
  private readonly agents;
  private target: { readonly url: URL; readonly options: RequestOptions } | undefined;

  /**
   * @param lookup finds the address of a host; the system lookup if absent
   * @param keepAlive true if connections are reused; a connection that was idle for long may close at any moment
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
   * Resolves when the response has begun. Later errors appear in its body. If an idle connection has been closed, all
   * other idle connections are dropped, and a repeatable request is sent once more.
   */
  async send(url: URL, init: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    const request = this.begin(url, init.method, init.headers);
    const answered = responseTo(request);
    sending.begin(request);
    request.end(init.body);
    try {
      return await answered;
    } catch (error) {
      if (sending.isAborted || !request.reusedSocket || !GIVEN_UP.has(errorCodeOf(error) ?? '')) throw error;
      this.dropIdle();
      if (init.isRepeatable !== true) throw error;
      return this.send(url, { ...init, isRepeatable: false }, sending);
    }
  }

  /** Sends a request with the interface that the official SDK uses. */
  readonly fetch: Fetch = async (input, { method = 'GET', headers, body, signal } = {}) => {
    const sending = new Sending();
    const abort = (): void => sending.abort();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
    const request = { method, headers: Object.fromEntries(new Headers(headers)), body: bodyText(body) };
    return this.response(await this.send(new URL(input), request, sending));
  };

  /** Closes every connection at once. */
  destroy(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private dropIdle(): void {
    for (const { freeSockets } of [this.agents.http, this.agents.https])
      for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }

  private begin(url: URL, method: string, headers: HttpRequest['headers']): ClientRequest {
    const isSecure = url.protocol === 'https:';
    // Most requests go to the same URL as the previous request.
    if (this.target?.url !== url) {
      const agent = isSecure ? this.agents.https : this.agents.http;
      this.target = {
        url,
        options: { ...addressOf(url), agent, ...(this.lookup && { lookup: this.lookup }) },
      };
    }
    return (isSecure ? httpsRequest : httpRequest)({
      ...this.target.options,
      method,
      headers: { ...UNENCODED, ...headers },
    });
  }

  private response(message: IncomingMessage): Response {
    const status = message.statusCode ?? 0;
    const headers = headersOf(message);
    const hasBody = !NO_BODY.has(status);
    if (!hasBody) message.resume();
    const body = hasBody ? new ReadableStream(new BodySource(message, this.limits)) : null;
    // Statuses that are invalid in a Response are reported as a bad gateway.
    const isPossible = status >= 200 && status <= 599;
    return new Response(body, { status: isPossible ? status : 502, headers });
  }
}

/** Returns the headers of a response, with each value separate. */
export function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}

/** Returns the options that a request needs for a URL. Node.js copies all options several times per request. */
function addressOf(url: URL): RequestOptions {
  const { hostname, port, path, auth } = urlToHttpOptions(url);
  return { hostname, port, path, ...(typeof auth === 'string' && { auth }) };
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', (message) => {
      message.on('error', ignore);
      try {
        const decoded = decodedResponse(message);
        decoded.on('error', ignore);
        resolve(decoded);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.on('error', reject);
  });
}

function ignore(): void {
  // The request itself reports the error to its caller.
}

/** Returns the text of a body. The SDK sends only text. */
function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only text can be sent');
}

/**
 * Makes the connections of an agent read into memory that all streams share. The parser of `node:http` copies each part
 * of a body, so no reference to a read remains. Allocating memory for each read, and collecting it, took a fifth of a
 * call with a response of 100 KB.
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
    // A socket has no listener between the end of a response and its next use, and a request may be aborted at that
    // moment.
    return socket?.on('error', ignore);
  };
  return agent;
}
