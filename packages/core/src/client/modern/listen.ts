import { isRecord, paramsOf, waitAtMost } from '@mcpmux/kit';
import { keyPaths, notificationLine, type RawId, readMessage, resultLine, splice } from '@mcpmux/wire';
import type { ListPages } from '../../catalog/list-pages.js';
import type { OwnedResource } from '../../catalog/resource-names.js';
import type { Caller } from '../caller/caller.js';
import type { MethodParts } from '../methods/handler.js';
import type { Listener } from '../methods/listeners.js';
import type { Exchange } from '../request/exchange.js';
import { ClientLists } from '../caller/client-lists.js';
import { routeResource } from '../../catalog/routing/route-resource.js';
import type { Connection } from '../../server/link/connection.js';
import { supportsApps } from '../../server/dialect/client-requests.js';
import { LISTS, type ListKind } from '../../server/lists/list-kind.js';
import type { ServerNotification } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { lastMemberInsertion } from '../../server/link/members.js';
import { TaskWatches } from './task-watches.js';

/** The `_meta` key for the id of the `subscriptions/listen` request that a notification belongs to. */
const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';
/** The maximum time that the acknowledgement waits for servers, in milliseconds. */
export const ACK_WAIT_MS = 2000;

/** The notification method that each flag of a notification filter selects. */
const NOTIFICATIONS_BY_FLAG: Readonly<Record<string, string>> = {
  toolsListChanged: LISTS.tools.changedMethod,
  promptsListChanged: LISTS.prompts.changedMethod,
  resourcesListChanged: LISTS.resources.changedMethod,
};
const NOTIFICATION_PATHS = keyPaths(['uri', 'taskId', '_meta']);

/** Acknowledges a `subscriptions/listen` request and leaves it open, so that notifications can follow. */
export async function listen(exchange: Exchange, parts: MethodParts): Promise<void> {
  const { notifications } = paramsOf(exchange.line);
  if (!isRecord(notifications)) return exchange.rejectParams('params.notifications must be an object');
  const { resourceSubscriptions: uris = [] } = notifications;
  if (!areStrings(uris))
    return exchange.rejectParams('params.notifications.resourceSubscriptions must be a list of URIs');
  const { taskIds = [] } = notifications;
  if (!areStrings(taskIds))
    return exchange.rejectParams('params.notifications.taskIds must be a list of the ids of tasks');
  const flags = Object.keys(NOTIFICATIONS_BY_FLAG).filter((flag) => notifications[flag] === true);
  const listener = new ListenRequest(exchange, parts, flags);
  exchange.release();
  const agreedUris: string[] = [];
  // All subscribe requests start together, so a slow server delays the acknowledgement but not other subscriptions.
  const pendingSubscriptions = uris.map(async (uri) => {
    if (await listener.subscribe(uri)) agreedUris.push(uri);
  });
  pendingSubscriptions.push(...taskIds.map((id) => listener.tasks.watch(id)));
  if (pendingSubscriptions.length > 0)
    await waitAtMost(ACK_WAIT_MS, Promise.all(pendingSubscriptions), parts.clock);
  listener.acknowledge(uris.filter((uri) => agreedUris.includes(uri)));
}

/** An open `subscriptions/listen` request. */
class ListenRequest implements Listener {
  readonly caller: Caller;
  readonly tasks: TaskWatches;
  private readonly id: RawId;
  private readonly lists: ClientLists;
  /** The notifications queued until the acknowledgement is sent, by subject; undefined afterwards. */
  private queuedReports: Map<string, () => void> | undefined = new Map();

  constructor(
    private readonly exchange: Exchange,
    private readonly parts: MethodParts,
    private readonly flags: readonly string[],
  ) {
    this.caller = exchange.caller;
    this.tasks = new TaskWatches(exchange.caller, parts, (received) => this.handleTaskChange(received, true));
    this.id = exchange.id;
    const { view, profile } = this.caller;
    const hasApps = supportsApps(profile?.capabilities ?? {});
    const listOptions = { era: 'modern', hasApps, client: profile?.name } as const;
    const list = (kind: ListKind): ListPages => view.catalog.list(kind, listOptions);
    this.lists = new ClientLists({ list }, parts, this.caller);
    this.lists.startTracking();
    exchange.onAbort(({ kind }) => this.end(kind === 'deadline'));
    parts.listeners.add(this);
  }

  /** Subscribes to a resource. Resolves to true if the resource's server has agreed. */
  async subscribe(uri: string): Promise<boolean> {
    const { subscriptions } = this.parts;
    const resource = this.resourceAt(uri);
    if (resource === undefined) return false;
    const isAgreed = await subscriptions.acquire(this, resource);
    if (!this.exchange.isOpen) subscriptions.releaseAll(this);
    return isAgreed;
  }

  acknowledge(uris: readonly string[]): void {
    const { queuedReports, flags, tasks } = this;
    this.queuedReports = undefined;
    if (!this.exchange.isOpen) return;
    const acceptedFilter = {
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
      ...(tasks.ids.length > 0 && { taskIds: tasks.ids }),
    };
    this.notify('notifications/subscriptions/acknowledged', { notifications: acceptedFilter });
    for (const report of queuedReports?.values() ?? []) report();
  }

  notifyListChanges(methods?: ReadonlySet<string>): void {
    const selectedMethods = this.flags.flatMap((flag) => NOTIFICATIONS_BY_FLAG[flag] ?? []);
    const possibleMethods = new Set(selectedMethods.filter((method) => methods?.has(method) ?? true));
    for (const method of this.lists.recordNotifications(possibleMethods))
      this.reportOrQueue(method, () => this.notify(method, {}));
  }

  recordListRead(kind: ListKind): void {
    // Without a connection, another client of the same principal may have read the list instead of this one.
    this.lists.recordRead(kind, this.caller.isPersistent);
  }

  whenListsRequested(): Promise<void> {
    return this.lists.whenRequested(this.caller.profile?.listHabit);
  }

  handleResourceUpdate(line: Buffer, from: Connection | undefined, isShared: boolean): void {
    const notification = this.withSubscriptionId(line, 'uri');
    if (notification === undefined) return;
    this.reportOrQueue(notification.subject, () => this.caller.send(notification.line, from, isShared));
  }

  watchesTask(upstream: Upstream, task: string): boolean {
    return this.tasks.isWatched(upstream, task);
  }

  handleTaskChange(received: ServerEvent<Upstream, ServerNotification>, isShared: boolean): void {
    this.tasks.report(received, (line) => {
      const notification = this.withSubscriptionId(line, 'taskId');
      if (notification === undefined) return;
      this.reportOrQueue(notification.subject, () =>
        this.caller.send(notification.line, received.connection, isShared),
      );
    });
  }

  /** Adds this request's id to a notification. Returns the new line, and the value at `key` as its subject. */
  private withSubscriptionId(
    line: Buffer,
    key: 'uri' | 'taskId',
  ): { readonly line: Buffer; readonly subject: string } | undefined {
    const message = readMessage(line.subarray(0, -1), NOTIFICATION_PATHS);
    const subject = message.kind === 'notification' ? message.params.get(key) : undefined;
    if (message.kind !== 'notification' || subject === undefined) return undefined;
    const meta = message.params.get('_meta');
    const member = `${JSON.stringify(SUBSCRIPTION_ID_KEY)}:${this.id}`;
    const edit =
      meta === undefined
        ? { span: { start: subject.end, end: subject.end }, bytes: `,"_meta":{${member}}` }
        : lastMemberInsertion(line, meta, member);
    const taggedLine = splice(line.subarray(0, -1), [edit]);
    return { line: taggedLine, subject: line.toString('utf8', subject.start, subject.end) };
  }

  private resourceAt(uri: string): OwnedResource | undefined {
    const { directory, catalog } = this.caller.view;
    const route = routeResource(uri, directory.snapshot(), catalog.knownUris);
    if (route.kind === 'owner') return route.resource;
    const [likeliest] = route.kind === 'unknown' ? [] : route.upstreams;
    return likeliest && { upstream: likeliest, uri };
  }

  private reportOrQueue(subject: string, report: () => void): void {
    if (this.queuedReports === undefined) report();
    else this.queuedReports.set(subject, report);
  }

  private notify(method: string, params: object): void {
    const subscriptionId: unknown = JSON.parse(this.id);
    const meta = { [SUBSCRIPTION_ID_KEY]: subscriptionId };
    this.caller.send(notificationLine(method, { ...params, _meta: meta }));
  }

  /** @param canAnswer true if the request can still be answered */
  private end(canAnswer: boolean): void {
    this.lists.stopTracking();
    this.parts.listeners.delete(this);
    this.parts.subscriptions.releaseAll(this);
    this.tasks.end();
    if (!canAnswer) return;
    const meta = `"_meta":{${JSON.stringify(SUBSCRIPTION_ID_KEY)}:${this.id}}`;
    this.exchange.respond(resultLine(this.id, `{"resultType":"complete",${meta}}`));
  }
}

function areStrings(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}
