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
import { takesApps } from '../../server/dialect/client-requests.js';
import { LISTS, type ListKind } from '../../server/lists/list-kind.js';
import type { ServerNotification } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { lastMember } from '../../server/link/members.js';
import { TaskWatches } from './task-watches.js';

/** The key in `_meta` for the id of the request that a notification belongs to. */
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
/** The maximum time that the acknowledgement waits for servers, in milliseconds. */
export const ACK_WAIT_MS = 2000;

/** The flags of a filter, and the notifications that they select. */
const FLAGS: Readonly<Record<string, string>> = {
  toolsListChanged: LISTS.tools.changed,
  promptsListChanged: LISTS.prompts.changed,
  resourcesListChanged: LISTS.resources.changed,
};
const CHANGED = keyPaths(['uri', 'taskId', '_meta']);

/** Handles `subscriptions/listen`. Acknowledges the request and leaves it open for the notifications. */
export async function listen(exchange: Exchange, parts: MethodParts): Promise<void> {
  const { notifications } = paramsOf(exchange.line);
  if (!isRecord(notifications)) return exchange.refuseParams('params.notifications must be an object');
  const { resourceSubscriptions: uris = [] } = notifications;
  if (!areStrings(uris))
    return exchange.refuseParams('params.notifications.resourceSubscriptions must be a list of URIs');
  const { taskIds = [] } = notifications;
  if (!areStrings(taskIds))
    return exchange.refuseParams('params.notifications.taskIds must be a list of the ids of tasks');
  const flags = Object.keys(FLAGS).filter((flag) => notifications[flag] === true);
  const listener = new Listen(exchange, parts, flags);
  exchange.release();
  const agreedUris: string[] = [];
  // All subscriptions start at the same time, so a slow server delays only the acknowledgement, not the other
  // subscriptions.
  const pending = uris.map(async (uri) => {
    if (await listener.subscribe(uri)) agreedUris.push(uri);
  });
  pending.push(...taskIds.map((id) => listener.tasks.watch(id)));
  if (pending.length > 0) await waitAtMost(ACK_WAIT_MS, Promise.all(pending), parts.clock);
  listener.acknowledge(uris.filter((uri) => agreedUris.includes(uri)));
}

/** One open request for notifications. */
class Listen implements Listener {
  readonly caller: Caller;
  readonly tasks: TaskWatches;
  private readonly id: RawId;
  private readonly lists: ClientLists;
  /** The notifications to send after the acknowledgement, by subject; undefined after it. */
  private queuedReports: Map<string, () => void> | undefined = new Map();

  constructor(
    private readonly exchange: Exchange,
    private readonly parts: MethodParts,
    private readonly flags: readonly string[],
  ) {
    this.caller = exchange.caller;
    this.tasks = new TaskWatches(exchange.caller, parts, (received) => this.taskChanged(received, true));
    this.id = exchange.id;
    const { view, profile } = this.caller;
    const hasApps = takesApps(profile?.capabilities ?? {});
    const reader = { era: 'modern', hasApps, client: profile?.name } as const;
    const list = (kind: ListKind): ListPages => view.catalog.list(kind, reader);
    this.lists = new ClientLists({ list }, parts, this.caller);
    this.lists.begin();
    exchange.onAbort(({ kind }) => this.end(kind === 'deadline'));
    parts.listeners.add(this);
  }

  /** Subscribes to a resource. Resolves with true if its server has agreed. */
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
    const accepted = {
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
      ...(tasks.ids.length > 0 && { taskIds: tasks.ids }),
    };
    this.notify('notifications/subscriptions/acknowledged', { notifications: accepted });
    for (const report of queuedReports?.values() ?? []) report();
  }

  listsChanged(methods?: ReadonlySet<string>): void {
    const wanted = this.flags.flatMap((flag) => FLAGS[flag] ?? []);
    const possible = new Set(wanted.filter((method) => methods?.has(method) ?? true));
    for (const method of this.lists.changes(possible)) this.report(method, () => this.notify(method, {}));
  }

  listRead(kind: ListKind): void {
    // Without a connection, another client of the principal may have read the list.
    this.lists.read(kind, this.caller.isPersistent);
  }

  whenListsRequested(): Promise<void> {
    return this.lists.whenRequested(this.caller.profile?.listHabit);
  }

  resourceUpdated(line: Buffer, from: Connection | undefined, isShared: boolean): void {
    const changed = this.withSubscription(line, 'uri');
    if (changed === undefined) return;
    this.report(changed.subject, () => this.caller.send(changed.line, from, isShared));
  }

  watches(upstream: Upstream, task: string): boolean {
    return this.tasks.has(upstream, task);
  }

  taskChanged(received: ServerEvent<Upstream, ServerNotification>, isShared: boolean): void {
    this.tasks.report(received, (line) => {
      const changed = this.withSubscription(line, 'taskId');
      if (changed === undefined) return;
      this.report(changed.subject, () => this.caller.send(changed.line, received.connection, isShared));
    });
  }

  /** Returns a notification with the id of this request, and its subject: the text at `key`. */
  private withSubscription(
    line: Buffer,
    key: 'uri' | 'taskId',
  ): { readonly line: Buffer; readonly subject: string } | undefined {
    const message = readMessage(line.subarray(0, -1), CHANGED);
    const subject = message.kind === 'notification' ? message.params.get(key) : undefined;
    if (message.kind !== 'notification' || subject === undefined) return undefined;
    const meta = message.params.get('_meta');
    const member = `${JSON.stringify(SUBSCRIPTION_ID)}:${this.id}`;
    const edit =
      meta === undefined
        ? { span: { start: subject.end, end: subject.end }, bytes: `,"_meta":{${member}}` }
        : lastMember(line, meta, member);
    const own = splice(line.subarray(0, -1), [edit]);
    return { line: own, subject: line.toString('utf8', subject.start, subject.end) };
  }

  private resourceAt(uri: string): OwnedResource | undefined {
    const { directory, catalog } = this.caller.view;
    const route = routeResource(uri, directory.snapshot(), catalog.learned);
    if (route.kind === 'owner') return route.resource;
    const [likeliest] = route.kind === 'unknown' ? [] : route.upstreams;
    return likeliest && { upstream: likeliest, uri };
  }

  private report(subject: string, report: () => void): void {
    if (this.queuedReports === undefined) report();
    else this.queuedReports.set(subject, report);
  }

  private notify(method: string, params: object): void {
    const subscription: unknown = JSON.parse(this.id);
    const meta = { [SUBSCRIPTION_ID]: subscription };
    this.caller.send(notificationLine(method, { ...params, _meta: meta }));
  }

  /** @param canAnswer true if the request can still be answered */
  private end(isInOrder: boolean): void {
    this.lists.end();
    this.parts.listeners.delete(this);
    this.parts.subscriptions.releaseAll(this);
    this.tasks.end();
    if (!isInOrder) return;
    const meta = `"_meta":{${JSON.stringify(SUBSCRIPTION_ID)}:${this.id}}`;
    this.exchange.respond(resultLine(this.id, `{"resultType":"complete",${meta}}`));
  }
}

function areStrings(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}
