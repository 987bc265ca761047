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

import { parseJsonObject } from '../base/json-object.js';
import { parseAdminRequest, type AdminRequest } from './admin-methods.js';

/** Why an instance refused a request. `code` is a `MuxError` code, or `FAILED` for other errors. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The outcome of a request: a refusal or a result. `after` runs once the response has been sent. */
export type AdminOutcome =
  | { readonly result: object; readonly after?: () => Promise<void> }
  | { readonly refusal: Refusal };

/** Carries out a request from a command. */
export type Administer = (request: AdminRequest, connection: AdminConnection) => Promise<AdminOutcome>;

/** The number of unanswered requests at which the connection stops reading. */
const MAX_OPEN_REQUESTS = 16;

/**
 * Answers a command's administration requests on its channel to an instance. The channel carries no MCP session, so the
 * command counts as neither a client nor a server.
 */
export class AdminConnection implements ChannelHandler {
  private readonly openRequests = new Set<Promise<void>>();
  private writableResolvers: (() => void)[] = [];
  private readonly abortController = new AbortController();

  constructor(
    private readonly channel: Channel,
    private readonly administer: Administer,
  ) {}

  /** Aborted when the command disconnects or ends its side of the connection. */
  get disconnectSignal(): AbortSignal {
    return this.abortController.signal;
  }

  send(line: OutgoingLine): void {
    this.channel.send(line);
  }

  /** Resolves when the channel accepts another line, or when the command has disconnected. */
  whenWritable(): Promise<void> {
    if (!this.channel.saturated || this.disconnectSignal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.writableResolvers.push(resolve));
  }

  line(line: Buffer): void {
    const answer = this.answerRequest(line);
    this.openRequests.add(answer);
    if (this.openRequests.size >= MAX_OPEN_REQUESTS || this.channel.saturated) this.channel.pause();
    void answer.finally(() => {
      this.openRequests.delete(answer);
      if (!this.channel.saturated) this.channel.resume();
    });
  }

  oversized(): void {
    this.channel.destroy();
  }

  drained(): void {
    this.resolveWritable();
    if (this.openRequests.size < MAX_OPEN_REQUESTS) this.channel.resume();
  }

  ended(): void {
    this.abortController.abort();
    this.resolveWritable();
    void Promise.all(this.openRequests).then(() => this.channel.end());
  }

  /** Ends the connection after sending the queued lines. */
  close(): void {
    void this.channel.end();
  }

  private resolveWritable(): void {
    for (const resolve of this.writableResolvers.splice(0)) resolve();
  }

  private async answerRequest(line: Buffer): Promise<void> {
    const message = readMessage(line, []);
    if (message.kind !== 'request') return;
    const parsedId = readId(line, message.id);
    if ('problem' in parsedId) return;
    const { id } = parsedId;
    const { params } = parseJsonObject(line.toString()) ?? {};
    const validated = parseAdminRequest(message.method, params);
    if ('problem' in validated) return this.sendError(id, PROBLEM_ERRORS[validated.problem](message.method));
    const outcome = await this.administer(validated.request, this);
    if ('refusal' in outcome) {
      const { code, message: text } = outcome.refusal;
      return this.sendError(id, { code: ErrorCode.InternalError, message: text, data: { code } });
    }
    this.send(resultLine(id, JSON.stringify(outcome.result)));
    await outcome.after?.();
  }

  private sendError(id: RawId, error: RpcError): void {
    this.send(errorLine(id, error));
  }
}

const PROBLEM_ERRORS = {
  method: (method: string): RpcError => ({
    code: ErrorCode.MethodNotFound,
    message: `This mcpmux has no method ${method}.`,
  }),
  params: (method: string): RpcError => ({
    code: ErrorCode.InvalidParams,
    message: `The parameters of ${method} are wrong.`,
  }),
};
