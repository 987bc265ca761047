import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it came. */
export interface ByteRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers a request that is not part of the handshake. */
export type Answering = (request: ByteRequest, response: ServerResponse, id: string) => void;

const TOOLS = '{"tools":[{"name":"raw","inputSchema":{"type":"object"}}]}';
const INITIALIZED =
  '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bytes","version":"1"}}';

/** A server at a URL that is written byte by byte: its handshake is done, all else is for the test. */
export class ByteServer implements AsyncDisposable {
  readonly requests: ByteRequest[] = [];
  readonly url: string;

  private constructor(
    private readonly server: Server,
    private readonly answering: Answering,
    private readonly toNotifications: number,
    private readonly isOpened: boolean,
  ) {
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/mcp`;
  }

  /**
   * @param toNotifications the status of the answer to a notification
   * @param isOpened whether the handshake is done for the test
   */
  static async open(answering: Answering, toNotifications = 202, isOpened = true): Promise<ByteServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const bytes = new ByteServer(server, answering, toNotifications, isOpened);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers } = request;
        bytes.answer({ method, headers, body: Buffer.concat(chunks).toString() }, response);
      });
    });
    return bytes;
  }

  /** The requests with this HTTP method. */
  of(method: string): readonly ByteRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answer(request: ByteRequest, response: ServerResponse): void {
    this.requests.push(request);
    const id = /"id" ?: ?(\d+)/.exec(request.body)?.[1] ?? '';
    if (!this.isOpened) return this.answering(request, response, id);
    if (request.body.includes('"initialize"')) return answerJson(response, resultOf(id, INITIALIZED));
    if (request.body.includes('"tools/list"')) return answerJson(response, resultOf(id, TOOLS));
    if (request.body.includes('"notifications/')) return void response.writeHead(this.toNotifications).end();
    this.answering(request, response, id);
  }
}

/** Answers with a body, of a session. */
export function answerJson(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' }).end(body);
}

/** Begins a stream of events. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** A response message. */
export function resultOf(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}
