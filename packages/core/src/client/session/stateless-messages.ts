import { afterCallback } from '@mcpmux/kit';
import { inOnePiece, MessageReader, readId, type RenewedSet } from '@mcpmux/wire';
import { LOCAL, type Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { Caller } from '../caller/caller.js';
import { CLIENT_PARAM_PATHS } from '../caller/client-paths.js';
import type { ClientPipe } from './client-pipe.js';
import type { ExchangeParts } from './exchanges.js';
import type { FirstListWait } from './first-list.js';
import { RequestClient, type RequestViews, type ServedMessage } from './request-client.js';
import type { Session } from './session.js';
import type { IncomingRequest } from '../request/incoming-request.js';

/** Receives each line for a request without a connection: its response, or a related message, without the newline. */
type ReplyHandler = (line: Buffer, isResponse: boolean) => void;

/** The part of an `AbortSignal` that a mux uses, so that a host with many callers can pass a cheaper object. */
export type WaitSignal = Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'>;

interface CancelSignals {
  /** Aborted when the caller has disconnected. */
  readonly signal?: WaitSignal | undefined;
  /** Aborted when the message must end now. A request that is still open then fails. */
  readonly ending?: WaitSignal | undefined;
}

/** The caller of one message without a connection. */
export interface StatelessCaller extends CancelSignals {
  /** The principal of the caller. Defaults to {@link LOCAL}. */
  readonly principal?: Principal | undefined;
  readonly parameter?: Caller['parameter'];
}

interface StatelessOwner {
  readonly openSession: (pipe: ClientPipe, layers: SessionLayers, caller: StatelessCaller) => Session;
  /** Called when a request has set a log level for its client, and when such a request has ended. */
  readonly onLevelChange: (client: RequestClient) => void;
}

/** Serves messages that arrive without a connection. Each request that describes its client is a separate client. */
export class StatelessMessages {
  private readonly messageReader = new MessageReader(CLIENT_PARAM_PATHS);

  /** @param requests holds one {@link RequestClient} for each open request that describes its client */
  constructor(
    private readonly parts: ExchangeParts & FirstListWait,
    private readonly requests: RenewedSet<RequestClient>,
    private readonly views: RequestViews,
    private readonly owner: StatelessOwner,
  ) {}

  /** Serves one message. Resolves when no more lines will be passed to `reply`. */
  handle(line: Buffer, reply: ReplyHandler, layers: SessionLayers, caller: StatelessCaller): Promise<void> {
    const incoming = this.readDescribedRequest(line);
    return serveStateless(reply, caller, (pipe) =>
      incoming === undefined
        ? this.serveInSession(line, pipe, layers, caller)
        : this.createRequestClient(incoming, pipe, layers, caller),
    );
  }

  /** Drains the open requests. A request that is still open after `drainMs` fails. */
  async finish(drainMs: number): Promise<void> {
    await Promise.all([...this.requests].map((client) => client.finish(drainMs)));
  }

  /** Returns the request if the line is a valid request that describes its client; otherwise undefined. */
  private readDescribedRequest(line: Buffer): IncomingRequest | undefined {
    const request = this.messageReader.read(line);
    if (request.kind !== 'request' || !request.versioned || !this.parts.modern.isModern(request))
      return undefined;
    const parsedId = readId(line, request.id);
    return 'problem' in parsedId ? undefined : { id: parsedId.id, line, request };
  }

  /** Opens a session that serves only this message and ends with it. */
  private serveInSession(
    line: Buffer,
    pipe: ClientPipe,
    layers: SessionLayers,
    caller: StatelessCaller,
  ): ServedMessage {
    const session = this.owner.openSession(pipe, layers, caller);
    const start = (): void => session.decoder.line(line);
    return {
      get whenEnded() {
        return Promise.race([session.exchanges.whenIdle(), session.whenClosed]);
      },
      start,
      finish: session.finish.bind(session),
      close: session.close.bind(session),
    };
  }

  private createRequestClient(
    incoming: IncomingRequest,
    pipe: ClientPipe,
    layers: SessionLayers,
    { principal = LOCAL, parameter }: StatelessCaller,
  ): RequestClient {
    const { requests, views } = this;
    const { onLevelChange } = this.owner;
    const { view, allSources } = views.viewFor(principal, layers.own);
    const init = { incoming, layers, principal, view, unfilteredSources: allSources, parameter };
    const client = new RequestClient(pipe, init, this.parts, onLevelChange);
    requests.add(client);
    void client.whenEnded.then(() => {
      requests.delete(client);
      if (client.requestLogLevel !== undefined) onLevelChange(client);
    });
    return client;
  }
}

/**
 * Serves one message, and passes the lines for its caller to `reply`. Resolves when there are no more lines.
 *
 * @throws the first error that `reply` has thrown
 */
async function serveStateless(
  reply: ReplyHandler,
  { signal, ending }: CancelSignals,
  begin: (pipe: ClientPipe) => ServedMessage,
): Promise<void> {
  if (signal?.aborted === true) return;
  const failures: unknown[] = [];
  const pipe = replyPipe(reply, (error) => {
    failures.push(error);
    // Closes in a microtask, because the exchange that sent the line is still running.
    queueMicrotask(() => served.close());
  });
  const served = begin(pipe);
  const abort = (): void => served.close();
  const end = (): void => void served.finish(0);
  signal?.addEventListener('abort', abort, { once: true });
  ending?.addEventListener('abort', end, { once: true });
  try {
    served.start();
    if (ending?.aborted === true) end();
    await served.whenEnded;
  } finally {
    signal?.removeEventListener('abort', abort);
    ending?.removeEventListener('abort', end);
    served.close();
  }
  for (const error of failures) throw error;
}

/**
 * Returns a pipe that passes each line to `reply` until the pipe is closed or `reply` fails.
 *
 * @param onFailure receives the error of `reply`, which must not interrupt other work in the same read scope
 */
export function replyPipe(reply: ReplyHandler, onFailure: (error: unknown) => void): ClientPipe {
  let isClosed = false;
  const fail = (error: unknown): void => {
    isClosed = true;
    onFailure(error);
  };
  return {
    isPersistent: false,
    open: () => undefined,
    send: (line, _from, _isShared, answers) => {
      if (isClosed) return;
      try {
        afterCallback(reply(inOnePiece(line).subarray(0, -1), answers !== undefined), fail);
      } catch (error) {
        fail(error);
      }
    },
    stopReading: () => undefined,
    flush: () => Promise.resolve(),
    close: () => {
      isClosed = true;
    },
  };
}
