import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';

import { BodySource, type BodyLimits } from './body-source.js';
import type { Fetch } from './remote-transport.js';

/** Statuses whose responses have no body. */
const NO_BODY = new Set([204, 205, 304]);

/**
 * `fetch` over `node:http`, with sockets of its own: they end when it is destroyed. Unlike the built-in one it waits for
 * an answer as long as it takes, and lets the server wait while nobody reads. It follows no redirect.
 */
export class HttpClient {
  private readonly agents;

  /**
   * @param lookup - finds the address of a host; that of the system when absent
   * @param keepAlive - whether connections are used again. One that has been idle for long may end at any moment.
   */
  constructor(
    private readonly limits: BodyLimits,
    private readonly lookup?: LookupFunction,
    keepAlive = true,
  ) {
    this.agents = { http: new HttpAgent({ keepAlive }), https: new HttpsAgent({ keepAlive }) };
  }

  readonly fetch: Fetch = async (input, init = {}) => {
    const url = new URL(input);
    const isSecure = url.protocol === 'https:';
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      agent: isSecure ? this.agents.https : this.agents.http,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(this.lookup && { lookup: this.lookup }),
      ...(init.signal && { signal: init.signal }),
    });
    request.on('socket', keepQuiet);
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      // After the answer has begun errors show in the body.
      request.on('error', reject);
    });
    request.end(bodyText(init.body));
    const message = await answered;
    message.on('error', () => undefined);
    return this.response(message);
  };

  /** Ends every connection at once. */
  destroy(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  private response(message: IncomingMessage): Response {
    const status = message.statusCode ?? 0;
    const headers = new Headers();
    for (const [name, values] of Object.entries(message.headersDistinct))
      for (const value of values ?? []) headers.append(name, value);
    const hasBody = !NO_BODY.has(status);
    if (!hasBody) message.resume();
    const body = hasBody ? new ReadableStream(new BodySource(message, this.limits)) : null;
    // Statuses that no Response can have are told as those of a broken gateway.
    const isPossible = status >= 200 && status <= 599;
    return new Response(body, { status: isPossible ? status : 502, headers });
  }
}

/** Between the end of an answer and its next use nobody listens to a socket, and a request may be given up just then. */
function keepQuiet(socket: Socket): void {
  if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
}

function ignore(): void {
  // The request itself reports the error to its caller.
}

/** The SDK sends JSON text. */
function bodyText(body: unknown): string | undefined {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('only text can be sent');
}
