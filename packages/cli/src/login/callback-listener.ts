import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { answerFromQuery } from './pasted-answer.js';
import type { AuthorizationAnswer } from '@mcpmux/core';

const LOOPBACK_HOST = '127.0.0.1';
const CALLBACK_PATH = '/callback';

interface PendingAnswer {
  readonly state: string;
  readonly resolve: (answer: AuthorizationAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Listens on a loopback port for an authorization server's redirect during one login. */
export class CallbackListener implements AsyncDisposable {
  readonly url: URL;
  private pendingAnswer: PendingAnswer | undefined;

  private constructor(
    private readonly server: Server,
    port: number,
  ) {
    this.url = new URL(`http://${LOOPBACK_HOST}:${port}${CALLBACK_PATH}`);
    server.on('request', (request, response) => this.handleRequest(request, response));
  }

  /**
   * @param port 0 for any free port
   * @throws a system error if the port is in use
   */
  static async open(port = 0): Promise<CallbackListener> {
    const server = createServer();
    server.listen(port, LOOPBACK_HOST);
    await once(server, 'listening');
    const address = server.address();
    return new CallbackListener(
      server,
      address !== null && typeof address !== 'string' ? address.port : port,
    );
  }

  /** Resolves to the answer in the redirect with `state`. Rejects if the login is refused or `limitMs` has passed. */
  async waitForAnswer(state: string, limitMs: number): Promise<AuthorizationAnswer> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<AuthorizationAnswer>((resolve, reject) => {
        this.pendingAnswer = { state, resolve, reject };
        const timeoutError = new Error(`no answer came within ${limitMs / 60_000} minutes`);
        timer = setTimeout(() => reject(timeoutError), limitMs);
      });
    } finally {
      clearTimeout(timer);
      this.pendingAnswer = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    // Otherwise, an incomplete request could keep the server open for minutes.
    this.server.closeAllConnections();
    await closed;
  }

  private handleRequest({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
    // A request target may be an invalid URL, such as `//`.
    if (!URL.canParse(url, this.url.href)) return respond(response, 404, 'There is nothing here.');
    const { pathname, searchParams } = new URL(url, this.url);
    const { pendingAnswer } = this;
    // A malicious web page may reach this port under another host name (DNS rebinding).
    if (method !== 'GET' || pathname !== CALLBACK_PATH || headers.host !== this.url.host)
      return respond(response, 404, 'There is nothing here.');
    if (pendingAnswer === undefined || searchParams.get('state') !== pendingAnswer.state)
      return respond(response, 400, 'mcpmux waits for no login with this state.');
    try {
      const answer = answerFromQuery(searchParams);
      // The browser must get its response first, because the listener may close as soon as the promise resolves.
      response.once('close', () => pendingAnswer.resolve(answer));
      respond(response, 200, 'mcpmux has received the answer. You can close this page.');
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      response.once('close', () => pendingAnswer.reject(reason));
      respond(response, 200, 'The login was refused. You can close this page.');
    }
  }
}

function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${text}\n`);
}
