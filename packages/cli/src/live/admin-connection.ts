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

/** The reason why an instance did not carry out a request, with a code of `MuxError`. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The outcome of a request: a refusal, or the result as plain data, with work to do after the response is sent. */
export type AdminOutcome =
  | { readonly result: object; readonly after?: () => Promise<void> }
  | { readonly refusal: Refusal };

/** Carries out a request from a command. */
export type Administer = (request: AdminRequest, connection: AdminConnection) => Promise<AdminOutcome>;

/** The number of requests without a response at which the connection stops reading. */
const MAX_OPEN = 16;

/**
 * The handler of a channel to a command that administers an instance. Clients and servers have no such connection,
 * because it carries no MCP session.
 */
export class AdminConnection implements ChannelHandler {
  private readonly open = new Set<Promise<void>>();
  private waiting: (() => void)[] = [];
  private readonly abortController = new AbortController();

  constructor(
    private readonly channel: Channel,
    private readonly administer: Administer,
  ) {}

  /** Aborts when the command disconnects or ends its side of the connection. */
  get disconnected(): AbortSignal {
    return this.abortController.signal;
  }

  send(line: OutgoingLine): void {
    this.channel.send(line);
  }

  /** Resolves when the channel can take another line, or when the command has disconnected. */
  writable(): Promise<void> {
    if (!this.channel.saturated || this.disconnected.aborted) return Promise.resolve();
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
    this.abortController.abort();
    this.release();
    void Promise.all(this.open).then(() => this.channel.end());
  }

  /** Ends the connection after sending the queued lines. */
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
    const outcome = await this.administer(checked.request, this);
    if ('refusal' in outcome) {
      const { code, message: text } = outcome.refusal;
      return this.refuse(id, { code: ErrorCode.InternalError, message: text, data: { code } });
    }
    this.send(resultLine(id, JSON.stringify(outcome.result)));
    await outcome.after?.();
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
