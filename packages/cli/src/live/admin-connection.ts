import {
  ErrorCode,
  errorLine,
  readId,
  readMessage,
  resultLine,
  type Channel,
  type ChannelHandler,
  type OutgoingLine,
  type RawId,
  type RpcError,
} from '@mcpmux/wire';

import { jsonObject } from '../base/json-object.js';
import { adminRequest, type AdminRequest } from './admin-methods.js';

/** A request that an instance could not carry out, with a code of `MuxError`. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The outcome of a request: the result as plain data, and the work that follows the response. */
export type Administered =
  | { readonly result: object; readonly after?: () => Promise<void> }
  | { readonly refusal: Refusal };

/** Carries out a request of a command. */
export type Administer = (request: AdminRequest, connection: AdminConnection) => Promise<Administered>;

/** The largest number of requests without a response. The connection reads no further requests meanwhile. */
const MAX_OPEN = 16;

/**
 * The handler of the channel to a command that administers an instance. It has no MCP session, so no client and no server has such a
 * connection.
 */
export class AdminConnection implements ChannelHandler {
  private readonly open = new Set<Promise<void>>();
  private waiting: (() => void)[] = [];
  private readonly gone = new AbortController();

  constructor(
    private readonly channel: Channel,
    private readonly administer: Administer,
  ) {}

  /** Aborted when the command has left, or sends nothing more. */
  get left(): AbortSignal {
    return this.gone.signal;
  }

  send(line: OutgoingLine): void {
    this.channel.send(line);
  }

  /** Resolves when the command has read enough for a further line, or has left. */
  writable(): Promise<void> {
    if (!this.channel.saturated || this.left.aborted) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  line(line: Buffer): void {
    const answer = this.answer(line);
    this.open.add(answer);
    if (this.open.size >= MAX_OPEN || this.channel.saturated) this.channel.pause();
    void answer.finally(() => {
      this.open.delete(answer);
      if (!this.channel.saturated) this.channel.resume();
    });
  }

  oversized(): void {
    this.channel.destroy();
  }

  drained(): void {
    this.release();
    if (this.open.size < MAX_OPEN) this.channel.resume();
  }

  ended(): void {
    this.gone.abort();
    this.release();
    void Promise.all(this.open).then(() => this.channel.end());
  }

  /** Ends the connection after the queued lines. */
  close(): void {
    void this.channel.end();
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async answer(line: Buffer): Promise<void> {
    const message = readMessage(line, []);
    if (message.kind !== 'request') return;
    const read = readId(line, message.id);
    if ('problem' in read) return;
    const { id } = read;
    const { params } = jsonObject(line.toString()) ?? {};
    const checked = adminRequest(message.method, params);
    if ('problem' in checked) return this.refuse(id, PROBLEMS[checked.problem](message.method));
    const done = await this.administer(checked.request, this);
    if ('refusal' in done) {
      const { code, message: text } = done.refusal;
      return this.refuse(id, { code: ErrorCode.InternalError, message: text, data: { code } });
    }
    this.send(resultLine(id, JSON.stringify(done.result)));
    await done.after?.();
  }

  private refuse(id: RawId, error: RpcError): void {
    this.send(errorLine(id, error));
  }
}

const PROBLEMS = {
  method: (method: string): RpcError => ({
    code: ErrorCode.MethodNotFound,
    message: `This mcpmux has no method ${method}.`,
  }),
  params: (method: string): RpcError => ({
    code: ErrorCode.InvalidParams,
    message: `The parameters of ${method} are wrong.`,
  }),
};
