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
} from '@mcpmux/wire';

import { jsonObject } from '../base/json-object.js';
import { hostRequest, type HostRequest } from './host-methods.js';
import { HOST_METHODS } from './opening.js';

/** A request that an instance could not carry out, with a code of `MuxError`. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The outcome of a request: the result as plain data, and the work that follows the response. */
export type Administered =
  | { readonly result: object; readonly after?: () => void }
  | { readonly refusal: Refusal };

/** Carries out a request of a command. */
export type Administer = (request: HostRequest, channel: HostChannel) => Promise<Administered>;

const MARK = Buffer.from(`"${HOST_METHODS}`);

/**
 * The channel to a command of the user who runs mcpmux. Answers the requests for administration, and hands all other
 * lines to the session of the command. Only the socket of an instance has such channels, so no client and no server
 * can administer it.
 */
export class HostChannel implements Channel {
  private readonly answers = new Set<Promise<void>>();
  private drained: (() => void)[] = [];
  private readonly ended = new AbortController();

  constructor(
    private readonly channel: Channel,
    private readonly administer: Administer,
  ) {}

  open(handler: ChannelHandler): void {
    this.channel.open({
      line: (line, isLast) => {
        if (!this.isAdministration(line)) handler.line(line, isLast);
      },
      oversized: (line, isLast) => handler.oversized(line, isLast),
      ended: (end) => {
        this.ended.abort();
        this.release();
        handler.ended(end);
      },
      drained: () => {
        this.release();
        handler.drained();
      },
    });
  }

  /** Aborted when the command sends nothing more. */
  get left(): AbortSignal {
    return this.ended.signal;
  }

  get queuedBytes(): number {
    return this.channel.queuedBytes;
  }

  get saturated(): boolean {
    return this.channel.saturated;
  }

  send(line: OutgoingLine, answers?: RawId): void {
    this.channel.send(line, answers);
  }

  /** Resolves when the command has read enough for a further line, or has left. */
  writable(): Promise<void> {
    if (!this.saturated || this.left.aborted) return Promise.resolve();
    return new Promise((resolve) => this.drained.push(resolve));
  }

  pause(): void {
    this.channel.pause();
  }

  resume(): void {
    this.channel.resume();
  }

  async end(): Promise<void> {
    await Promise.all(this.answers);
    return this.channel.end();
  }

  destroy(): void {
    this.ended.abort();
    this.channel.destroy();
  }

  private release(): void {
    for (const resolve of this.drained.splice(0)) resolve();
  }

  private isAdministration(line: Buffer): boolean {
    // The arguments of a call may contain the mark too.
    const message = line.includes(MARK) ? readMessage(line, []) : undefined;
    if (message?.kind !== 'request' || !message.method.startsWith(HOST_METHODS)) return false;
    const read = readId(line, message.id);
    if ('problem' in read) return false;
    const { params } = jsonObject(line.toString()) ?? {};
    const answer = this.answer(read.id, message.method, params);
    this.answers.add(answer);
    void answer.finally(() => this.answers.delete(answer));
    return true;
  }

  private async answer(id: RawId, method: string, params: unknown): Promise<void> {
    const read = hostRequest(method, params);
    if ('problem' in read) return this.send(errorLine(id, PROBLEMS[read.problem](method)));
    const done = await this.administer(read.request, this);
    if ('refusal' in done) {
      const { code, message } = done.refusal;
      return this.send(errorLine(id, { code: ErrorCode.InternalError, message, data: { code } }));
    }
    this.send(resultLine(id, JSON.stringify(done.result)));
    done.after?.();
  }
}

const PROBLEMS = {
  method: (method: string) => ({
    code: ErrorCode.MethodNotFound,
    message: `This mcpmux has no method ${method}.`,
  }),
  params: (method: string) => ({
    code: ErrorCode.InvalidParams,
    message: `The parameters of ${method} are wrong.`,
  }),
};
