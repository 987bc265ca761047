import { afterCallback, messageOf, MuxError } from '@mcpmux/kit';
import {
  type Channel,
  type ChannelHandler,
  ErrorCode,
  errorLine,
  notificationLine,
  PendingTable,
  requestLine,
  stringId,
} from '@mcpmux/wire';
import type { CallToolResult } from './host-results.js';

/** The `params` of a progress notification, without its token. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options for a request from the host's process. */
export interface RequestOptions {
  /** Cancels the request when aborted. The server is notified, and the promise rejects with MuxError CANCELLED. */
  readonly signal?: AbortSignal;
}

/** Options for a call from the host's process. */
export interface CallOptions extends RequestOptions {
  readonly onProgress?: (progress: Progress) => void;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

interface IncomingMessage {
  /** An integer that this client chose, or, in a request from the session, a string that the session chose. */
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Progress & { readonly progressToken?: number };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * The client that the host and its commands use. It sends no `initialize`, and rejects requests from servers. Its
 * channel leads to a mux in the same process (in memory) or in another process (over a socket).
 */
export class LocalClient implements ChannelHandler {
  private nextId = 1;
  private isEnded = false;
  private readonly pendingRequests = new PendingTable<number, PendingRequest>();

  constructor(private readonly channel: Channel) {
    channel.open(this);
  }

  /** @throws MuxError CALL_FAILED for a protocol error, CANCELLED after an abort, CLOSED once the mux has closed */
  callTool(name: string, args: unknown, options: CallOptions): Promise<CallToolResult> {
    return this.request<CallToolResult>('tools/call', { name, arguments: args }, options, name);
  }

  /**
   * Sends a request. Resolves with the result exactly as the server sent it.
   *
   * @throws MuxError CALL_FAILED for a protocol error, CANCELLED after an abort, CLOSED once the mux has closed
   */
  request<Result>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { signal, onProgress }: CallOptions = {},
    subject = method,
  ): Promise<Result> {
    if (signal?.aborted) return Promise.reject(cancelledError(subject));
    if (this.isEnded) return Promise.reject(closedError());
    const id = this.nextId;
    const meta = onProgress === undefined ? {} : { _meta: { progressToken: id } };
    let line: Buffer;
    try {
      line = requestLine(id, method, { ...params, ...meta });
    } catch (error) {
      return Promise.reject(new MuxError('CALL_FAILED', `The arguments are not JSON: ${messageOf(error)}`));
    }
    this.nextId += 1;
    const response = new Promise<Result>((resolve, reject) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a server answers is passed on unchecked
      this.pendingRequests.add(id, { resolve: (result) => resolve(result as Result), reject, onProgress });
    });
    const cancel = (): void => this.cancel(id, subject);
    signal?.addEventListener('abort', cancel);
    this.channel.send(line);
    return response.finally(() => signal?.removeEventListener('abort', cancel));
  }

  line(line: Buffer): void {
    // The line is not validated, because only a mux writes to this channel.
    const incoming: IncomingMessage = JSON.parse(line.toString('utf8'));
    const { id, method, params, result, error } = incoming;
    if (id !== undefined && method !== undefined) {
      // The host declares no capabilities, so it rejects every request from a server.
      const refusal = { code: ErrorCode.MethodNotFound, message: `the host does not answer ${method}` };
      this.channel.send(errorLine(stringId(String(id)), refusal));
      return;
    }
    if (id === undefined) {
      if (params?.progressToken !== undefined) this.reportProgress(params.progressToken, params);
      return;
    }
    const pendingRequest = typeof id === 'number' ? this.pendingRequests.take(id) : undefined;
    if (result !== undefined) pendingRequest?.resolve(result);
    else pendingRequest?.reject(callFailedError(error));
  }

  oversized(): void {
    // Never called, because this client's channel does not limit the length of lines.
  }

  drained(): void {
    // This client never pauses sending, so it has nothing to resume.
  }

  ended(): void {
    this.isEnded = true;
    for (const { reject } of this.pendingRequests.takeAll()) reject(closedError());
  }

  /** Calls the host's progress callback. An error that it throws cancels only its own call. */
  private reportProgress(token: number, progress: Progress): void {
    const fail = (error: unknown): void => {
      const pendingRequest = this.pendingRequests.take(token);
      if (pendingRequest === undefined) return;
      this.channel.send(notificationLine('notifications/cancelled', { requestId: token }));
      pendingRequest.reject(error instanceof Error ? error : new Error(messageOf(error)));
    };
    try {
      afterCallback(this.pendingRequests.peek(token)?.onProgress?.(progress), fail);
    } catch (error) {
      fail(error);
    }
  }

  private cancel(id: number, subject: string): void {
    const pendingRequest = this.pendingRequests.take(id);
    if (pendingRequest === undefined) return;
    this.channel.send(notificationLine('notifications/cancelled', { requestId: id }));
    pendingRequest.reject(cancelledError(subject));
  }
}

function callFailedError(error: IncomingMessage['error']): MuxError {
  if (error === undefined) return new MuxError('CALL_FAILED', 'the response has no result');
  const { message, ...response } = error;
  return new MuxError('CALL_FAILED', message, { data: { response } });
}

function closedError(): MuxError {
  return new MuxError('CLOSED', 'The mux was closed.');
}

function cancelledError(subject: string): MuxError {
  return new MuxError('CANCELLED', `The call of ${subject} was cancelled.`);
}
