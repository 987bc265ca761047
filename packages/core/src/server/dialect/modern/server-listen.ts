import { type Clock, isRecord, LISTEN, type Timer, waitAtMost } from '@mcpmux/kit';
import { notificationLine } from '@mcpmux/wire';
import { OwnRequestError } from '../../link/own-request.js';
import { LIST_KINDS, LISTS } from '../../lists/list-kind.js';
import type { RunLink, LongRequestOutcome } from '../server-dialect.js';

/** The `_meta` key under which a notification contains the id of its `subscriptions/listen` request. */
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const RESOURCE_UPDATED = 'notifications/resources/updated';
const LIST_FLAGS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const NOT_ACCEPTED_CODE = -32_602;
const TASK_PREFIX = 'task\n';
const METHOD_NOT_FOUND = -32_601;
const FIRST_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 60_000;

interface ListenRequest {
  readonly id: number;
  readonly wanted: ReadonlySet<string>;
  /** The keys of the resources and tasks that the server has acknowledged; undefined before the acknowledgement. */
  acceptedKeys: ReadonlySet<string> | undefined;
  /** Resolves when the server acknowledges the request or the request ends, whichever happens first. */
  readonly settled: Promise<void>;
  readonly settle: () => void;
  /** The error code, if the server refused the request with an error. */
  refusalCode: number | undefined;
  isOver: boolean;
  /** True if the request was not delivered, so that its end does not prove that the server lacks support. */
  isLost: boolean;
}

/**
 * mcpmux's subscription to one run of a server: a single request for all clients. To change the filter, mcpmux opens
 * the next request before it ends the current one, so that no notification is lost.
 */
export class ServerSubscription {
  static readonly ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
  private readonly wantedKeys = new Set<string>();
  private current: ListenRequest | undefined;
  /** Requests without an acknowledgement, by id. */
  private readonly openingRequests = new Map<number, ListenRequest>();
  private lastChange: Promise<void> = Promise.resolve();
  private retryTimer: Timer | undefined;
  private failureCount = 0;
  private isRunOver = false;
  /** True if the server does not support `subscriptions/listen`. */
  private isUnsupported = false;

  constructor(
    private readonly link: RunLink,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** True while an acknowledged request is open, so that the server reports changes. */
  get isListening(): boolean {
    return this.current !== undefined;
  }

  /** mcpmux drops the notifications of any other request, because they are duplicates. */
  isCurrent(id: number): boolean {
    return this.current?.id === id;
  }

  /** Opens the first request. Retries only if the request was lost, not if the server refuses it. */
  start(): void {
    this.applyFilter(this.timeoutMs).catch((error: unknown) => {
      if (error instanceof ListenLostError && !this.isRunOver) this.scheduleRetry();
    });
  }

  /**
   * Adds a resource's URI or a task's key to the filter.
   *
   * @throws OwnRequestError if the server does not acknowledge it
   */
  async subscribe(uri: string, timeoutMs: number): Promise<void> {
    this.wantedKeys.add(uri);
    try {
      await this.applyFilter(timeoutMs);
      if (this.current?.acceptedKeys?.has(uri) !== true)
        throw new OwnRequestError(
          `the server does not tell of changes to ${uri}`,
          false,
          undefined,
          NOT_ACCEPTED_CODE,
        );
    } catch (error) {
      this.wantedKeys.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.wantedKeys.delete(uri)) await this.applyFilter(timeoutMs);
  }

  /** Processes the server's acknowledgement or cancellation of a request. */
  handleNotification(method: string, line: Buffer): void {
    const { params }: { params?: unknown } = JSON.parse(line.toString('utf8'));
    if (!isRecord(params)) return;
    if (method !== ServerSubscription.ACKNOWLEDGED) return this.handleEnd(Number(params['requestId']), {});
    const meta = isRecord(params['_meta']) ? params['_meta'] : {};
    const request = this.openingRequests.get(Number(meta[SUBSCRIPTION_KEY]));
    if (request === undefined) return;
    const { resourceSubscriptions, taskIds } = isRecord(params['notifications'])
      ? params['notifications']
      : {};
    request.acceptedKeys = new Set([...stringsIn(resourceSubscriptions), ...stringsIn(taskIds).map(taskKey)]);
    this.openingRequests.delete(request.id);
    this.replaceCurrent(request);
    request.settle();
  }

  /** Opens a request with the current filter, once earlier filter changes have finished. */
  private applyFilter(timeoutMs: number): Promise<void> {
    const change = this.lastChange.then(() => this.openRequest(timeoutMs));
    this.lastChange = change.catch(() => undefined);
    return change;
  }

  private async openRequest(timeoutMs: number): Promise<void> {
    const { current, wantedKeys } = this;
    // An earlier request may already include this change to the filter.
    if (current !== undefined && hasSameKeys(current.wanted, wantedKeys)) return;
    if (this.isUnsupported) throw notAcknowledgedError(METHOD_NOT_FOUND);
    const request = this.sendRequest();
    await waitAtMost(timeoutMs, request.settled, this.clock);
    if (this.current === request) return;
    this.openingRequests.delete(request.id);
    if (!request.isOver) this.link.withdraw(request.id);
    if (request.isLost) throw new ListenLostError(`${LISTEN} has not come through`, true);
    const code = request.refusalCode ?? (request.isOver ? METHOD_NOT_FOUND : undefined);
    this.isUnsupported = code === METHOD_NOT_FOUND;
    throw notAcknowledgedError(code);
  }

  private sendRequest(): ListenRequest {
    const wanted = new Set(this.wantedKeys);
    const notifications = { ...LIST_FLAGS, ...subscriptionFilter(wanted) };
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const id = this.link.openLongRequest(LISTEN, { notifications }, (end) => {
      if (end.isRunOver) this.isRunOver = true;
      this.handleEnd(id, end);
    });
    const state = { acceptedKeys: undefined, refusalCode: undefined, isOver: false, isLost: false };
    const listen = { ...state, id, wanted, settled, settle };
    this.openingRequests.set(id, listen);
    return listen;
  }

  private replaceCurrent(listen: ListenRequest): void {
    const { current } = this;
    this.current = listen;
    this.failureCount = 0;
    if (current !== undefined && !current.isOver) this.link.withdraw(current.id);
  }

  private handleEnd(id: number, { code, isLost = false }: Omit<LongRequestOutcome, 'isRunOver'>): void {
    const pendingRequest = this.openingRequests.get(id);
    if (pendingRequest !== undefined) {
      pendingRequest.isOver = true;
      pendingRequest.isLost = isLost;
      pendingRequest.refusalCode = code;
      return pendingRequest.settle();
    }
    if (this.current?.id !== id) return;
    this.current.isOver = true;
    this.current = undefined;
    if (!this.isRunOver) this.scheduleRetry();
  }

  private scheduleRetry(): void {
    const maxDelayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** this.failureCount, MAX_RETRY_DELAY_MS);
    this.failureCount += 1;
    this.retryTimer?.cancel();
    this.retryTimer = this.clock.schedule(
      () => void this.listenAgain(),
      maxDelayMs * (1 - Math.random() / 2),
    );
  }

  private async listenAgain(): Promise<void> {
    if (this.isRunOver) return;
    try {
      await this.applyFilter(this.timeoutMs);
      this.announceAll();
    } catch {
      if (!this.isRunOver && !this.isUnsupported) this.scheduleRetry();
    }
  }

  /** Reports every list and subscribed resource as changed, because any may have changed while no request was open. */
  private announceAll(): void {
    const methods = new Set(LIST_KINDS.map((kind) => LISTS[kind].changedMethod));
    const lines = [...methods].map((method) => notificationLine(method));
    const { resourceSubscriptions = [] } = subscriptionFilter(this.wantedKeys);
    for (const uri of resourceSubscriptions) lines.push(notificationLine(RESOURCE_UPDATED, { uri }));
    for (const line of lines) this.link.deliver(line.subarray(0, -1));
  }
}

/** Thrown if `subscriptions/listen` was lost because the connection broke or the server was unreachable. */
class ListenLostError extends OwnRequestError {}

/** Returns the key of a task. The key never equals a resource's URI, because URIs contain no line break. */
export function taskKey(id: string): string {
  return `${TASK_PREFIX}${id}`;
}

function subscriptionFilter(wanted: ReadonlySet<string>): {
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
} {
  const taskIds = [...wanted]
    .filter((key) => key.startsWith(TASK_PREFIX))
    .map((key) => key.slice(TASK_PREFIX.length));
  const uris = [...wanted].filter((key) => !key.startsWith(TASK_PREFIX));
  return { ...(uris.length > 0 && { resourceSubscriptions: uris }), ...(taskIds.length > 0 && { taskIds }) };
}

function stringsIn(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

/** @param code the code of the server's error; undefined if the server did not answer */
function notAcknowledgedError(code: number | undefined): OwnRequestError {
  return new OwnRequestError(`the server did not acknowledge ${LISTEN}`, code === undefined, undefined, code);
}

function hasSameKeys(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((one) => others.has(one));
}
