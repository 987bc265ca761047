import { type Clock, isRecord, LISTEN, type Timer, waitAtMost } from '@mcpmux/kit';
import { notificationLine } from '@mcpmux/wire';
import { OwnRequestError } from '../../link/own-request.js';
import { LIST_KINDS, LISTS } from '../../lists/list-kind.js';
import type { RunLink, LongRequestEndInit } from '../server-dialect.js';

/** The key in a notification's `_meta` for the id of its `subscriptions/listen` request. */
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const UPDATED = 'notifications/resources/updated';
const LIST_FLAGS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const NOT_ACCEPTED = -32_602;
const TASK_PREFIX = 'task\n';
const METHOD_NOT_FOUND = -32_601;
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** One `subscriptions/listen` request. */
interface Listen {
  readonly id: number;
  readonly wanted: ReadonlySet<string>;
  /** The keys of the resources and tasks that the server has acknowledged; undefined before the acknowledgement. */
  accepted: ReadonlySet<string> | undefined;
  /** Resolves at the acknowledgement, or at the end of the request if the request ends first. */
  readonly settled: Promise<void>;
  readonly settle: () => void;
  /** The code of the error with which the server answered instead of an acknowledgement. */
  refusal: number | undefined;
  isOver: boolean;
  /** True if the request was not delivered. Its end then does not show that the server lacks support. */
  isLost: boolean;
}

/**
 * The subscription of mcpmux at one run of a server, for all clients, as one request. To change the filter, mcpmux
 * opens the next request before it ends the current one, so that no notification is lost.
 */
export class ServerListen {
  static readonly ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
  private readonly wanted = new Set<string>();
  private current: Listen | undefined;
  /** Requests without an acknowledgement, by id. */
  private readonly opening = new Map<number, Listen>();
  private lastChange: Promise<void> = Promise.resolve();
  private retry: Timer | undefined;
  private failures = 0;
  private isRunOver = false;
  /** True if the server does not support `subscriptions/listen`. */
  private isUnsupported = false;

  constructor(
    private readonly link: RunLink,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** True if the server reports changes. */
  get isListening(): boolean {
    return this.current !== undefined;
  }

  /** True if mcpmux must use the notifications of this request. Notifications of a replaced request are duplicates. */
  isCurrent(id: number): boolean {
    return this.current?.id === id;
  }

  /** Opens the first request. Does not retry if the server does not support it. */
  start(): void {
    this.replace(this.timeoutMs).catch((error: unknown) => {
      if (error instanceof ListenLost && !this.isRunOver) this.retryLater();
    });
  }

  /**
   * Adds a resource, or a task by its key.
   *
   * @throws OwnRequestError if the server does not report changes to the resource or task
   */
  async subscribe(uri: string, timeoutMs: number): Promise<void> {
    this.wanted.add(uri);
    try {
      await this.replace(timeoutMs);
      if (this.current?.accepted?.has(uri) !== true)
        throw new OwnRequestError(
          `the server does not tell of changes to ${uri}`,
          false,
          undefined,
          NOT_ACCEPTED,
        );
    } catch (error) {
      this.wanted.delete(uri);
      throw error;
    }
  }

  async unsubscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.wanted.delete(uri)) await this.replace(timeoutMs);
  }

  /** Handles the acknowledgement of a request, or the server's notification that a request has ended. */
  handleNotification(method: string, line: Buffer): void {
    const { params }: { params?: unknown } = JSON.parse(line.toString('utf8'));
    if (!isRecord(params)) return;
    if (method !== ServerListen.ACKNOWLEDGED) return this.ended(Number(params['requestId']), {});
    const meta = isRecord(params['_meta']) ? params['_meta'] : {};
    const listen = this.opening.get(Number(meta[SUBSCRIPTION_KEY]));
    if (listen === undefined) return;
    const { resourceSubscriptions, taskIds } = isRecord(params['notifications'])
      ? params['notifications']
      : {};
    listen.accepted = new Set([...stringsIn(resourceSubscriptions), ...stringsIn(taskIds).map(taskKey)]);
    this.opening.delete(listen.id);
    this.takeOver(listen);
    listen.settle();
  }

  /** Opens a request for the current filter. Handles one change after the other. */
  private replace(timeoutMs: number): Promise<void> {
    const change = this.lastChange.then(() => this.open(timeoutMs));
    this.lastChange = change.catch(() => undefined);
    return change;
  }

  private async open(timeoutMs: number): Promise<void> {
    const { current, wanted } = this;
    // An earlier change may have included this change.
    if (current !== undefined && isSame(current.wanted, wanted)) return;
    if (this.isUnsupported) throw notAcknowledged(METHOD_NOT_FOUND);
    const listen = this.send();
    await waitAtMost(timeoutMs, listen.settled, this.clock);
    if (this.current === listen) return;
    this.opening.delete(listen.id);
    if (!listen.isOver) this.link.withdraw(listen.id);
    if (listen.isLost) throw new ListenLost(`${LISTEN} has not come through`, true);
    const code = listen.refusal ?? (listen.isOver ? METHOD_NOT_FOUND : undefined);
    this.isUnsupported = code === METHOD_NOT_FOUND;
    throw notAcknowledged(code);
  }

  private send(): Listen {
    const wanted = new Set(this.wanted);
    const notifications = { ...LIST_FLAGS, ...filterOf(wanted) };
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const id = this.link.openLongRequest(LISTEN, { notifications }, (end) => {
      if (end.isRunOver) this.isRunOver = true;
      this.ended(id, end);
    });
    const state = { accepted: undefined, refusal: undefined, isOver: false, isLost: false };
    const listen = { ...state, id, wanted, settled, settle };
    this.opening.set(id, listen);
    return listen;
  }

  private takeOver(listen: Listen): void {
    const { current } = this;
    this.current = listen;
    this.failures = 0;
    if (current !== undefined && !current.isOver) this.link.withdraw(current.id);
  }

  private ended(id: number, { code, isLost = false }: Omit<LongRequestEndInit, 'isRunOver'>): void {
    const pending = this.opening.get(id);
    if (pending !== undefined) {
      pending.isOver = true;
      pending.isLost = isLost;
      pending.refusal = code;
      return pending.settle();
    }
    if (this.current?.id !== id) return;
    this.current.isOver = true;
    this.current = undefined;
    if (!this.isRunOver) this.retryLater();
  }

  private retryLater(): void {
    const maxDelayMs = Math.min(FIRST_DELAY_MS * 2 ** this.failures, MAX_DELAY_MS);
    this.failures += 1;
    this.retry?.cancel();
    this.retry = this.clock.schedule(() => void this.listenAgain(), maxDelayMs * (1 - Math.random() / 2));
  }

  private async listenAgain(): Promise<void> {
    if (this.isRunOver) return;
    try {
      await this.replace(this.timeoutMs);
      this.announceAll();
    } catch {
      if (!this.isRunOver && !this.isUnsupported) this.retryLater();
    }
  }

  /**
   * Announces a change to every list and every subscribed resource, because any of them may have changed while there
   * was no request.
   */
  private announceAll(): void {
    const methods = new Set(LIST_KINDS.map((kind) => LISTS[kind].changed));
    const lines = [...methods].map((method) => notificationLine(method));
    const { resourceSubscriptions = [] } = filterOf(this.wanted);
    for (const uri of resourceSubscriptions) lines.push(notificationLine(UPDATED, { uri }));
    for (const line of lines) this.link.deliver(line.subarray(0, -1));
  }
}

/** Thrown if the request was lost, because the connection broke or the server could not be reached. */
class ListenLost extends OwnRequestError {}

/** Returns the key of a task. The key never equals a resource's URI, because URIs contain no line break. */
export function taskKey(id: string): string {
  return `${TASK_PREFIX}${id}`;
}

function filterOf(wanted: ReadonlySet<string>): {
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
function notAcknowledged(code: number | undefined): OwnRequestError {
  return new OwnRequestError(`the server did not acknowledge ${LISTEN}`, code === undefined, undefined, code);
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((one) => others.has(one));
}
