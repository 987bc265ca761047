import type { ListenFilter, RequestId } from './message.js';
import { answer, notify } from './output.js';
import type { Request } from './raw-server.js';

const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';

/** For each list, the filter's flag that subscribes to the list's changes. */
const FLAG_BY_LIST = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

/** The open `subscriptions/listen` requests of clients. */
export class ModernListenRequests {
  private readonly openFilters = new Map<RequestId, ListenFilter>();
  /** Every requested filter, and the id of every cancelled request. */
  readonly history: (ListenFilter | { readonly cancelled: RequestId })[] = [];

  /** @param isReported - returns true for a resource whose changes are reported */
  constructor(private readonly isReported: (uri: string) => boolean = () => true) {}

  open({ id, params: { notifications = {} } }: Request): void {
    const { resourceSubscriptions = [], ...flags } = notifications;
    this.history.push(notifications);
    const acceptedFilter = { ...flags, resourceSubscriptions: resourceSubscriptions.filter(this.isReported) };
    this.openFilters.set(id, acceptedFilter);
    const acknowledgedMethod = 'notifications/subscriptions/acknowledged';
    notify(acknowledgedMethod, { notifications: acceptedFilter, _meta: { [SUBSCRIPTION_ID_KEY]: id } });
  }

  cancel(id: RequestId | undefined): void {
    if (id === undefined || !this.openFilters.delete(id)) return;
    this.history.push({ cancelled: id });
  }

  /** Responds to every open listen request with its final result, as a server does when it stops. */
  endAll(): void {
    for (const id of this.openFilters.keys())
      answer(id, { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_KEY]: id } });
    this.openFilters.clear();
  }

  notifyListChanged(list: keyof typeof FLAG_BY_LIST): void {
    for (const [id, filter] of this.openFilters) {
      if (filter[FLAG_BY_LIST[list]] === true)
        notify(`notifications/${list}/list_changed`, { _meta: { [SUBSCRIPTION_ID_KEY]: id } });
    }
  }

  notifyResourceUpdated(uri: string): void {
    for (const [id, { resourceSubscriptions = [] }] of this.openFilters) {
      if (resourceSubscriptions.includes(uri))
        notify('notifications/resources/updated', { uri, _meta: { [SUBSCRIPTION_ID_KEY]: id } });
    }
  }

  notifyTaskChanged(taskId: string, task: object): void {
    for (const [id, { taskIds = [] }] of this.openFilters) {
      if (taskIds.includes(taskId))
        notify('notifications/tasks', { ...task, _meta: { [SUBSCRIPTION_ID_KEY]: id } });
    }
  }
}
