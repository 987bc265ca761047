import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { answerIn } from './pasted-answer.js';
import type { AuthorizationAnswer } from '@mcpmux/core';

const HOST = '127.0.0.1';
const PATH = '/callback';

interface Waiting {
  readonly state: string;
  readonly resolve: (answer: AuthorizationAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Receives the redirect of an authorization server, on a port of this machine, for one login. */
export class CallbackListener implements AsyncDisposable {
  readonly url: URL;
  private waiting: Waiting | undefined;

  private constructor(
    private readonly server: Server,
    port: number,
  ) {
    this.url = new URL(`http://${HOST}:${port}${PATH}`);
    server.on('request', (request, response) => this.take(request, response));
  }

  /**
   * @param port - 0 for any free port
   * @throws the error of the system if the port is taken
   */
  static async open(port = 0): Promise<CallbackListener> {
    const server = createServer();
    server.listen(port, HOST);
    await once(server, 'listening');
    const bound = server.address();
    return new CallbackListener(server, bound !== null && typeof bound !== 'string' ? bound.port : port);
  }

  /**
   * Waits for the response with this state, and refuses other responses. Rejects if the login is refused, or after
   * `limitMs`.
   */
  async answer(state: string, limitMs: number): Promise<AuthorizationAnswer> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<AuthorizationAnswer>((resolve, reject) => {
        this.waiting = { state, resolve, reject };
        const late = new Error(`no answer came within ${limitMs / 60_000} minutes`);
        timer = setTimeout(() => reject(late), limitMs);
      });
    } finally {
      clearTimeout(timer);
      this.waiting = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    // A request of which half was sent would keep the server open for minutes.
    this.server.closeAllConnections();
    await closed;
  }

  private take({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
    // The target of a request may be no URL, for example `//`.
    if (!URL.canParse(url, this.url.href)) return say(response, 404, 'There is nothing here.');
    const { pathname, searchParams } = new URL(url, this.url);
    const { waiting } = this;
    // A page may reach this port under another host name (DNS rebinding).
    if (method !== 'GET' || pathname !== PATH || headers.host !== this.url.host)
      return say(response, 404, 'There is nothing here.');
    if (waiting === undefined || searchParams.get('state') !== waiting.state)
      return say(response, 400, 'mcpmux waits for no login with this state.');
    try {
      const answer = answerIn(searchParams);
      // The listener may close as soon as the login has its answer, and the page needs its answer before.
      response.once('close', () => waiting.resolve(answer));
      say(response, 200, 'mcpmux has received the answer. You can close this page.');
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      response.once('close', () => waiting.reject(reason));
      say(response, 200, 'The login was refused. You can close this page.');
    }
  }
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`${text}\n`);
}
