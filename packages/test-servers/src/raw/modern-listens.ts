import type { ListenFilter, RequestId } from './message.js';
import { answer, notify } from './output.js';
import type { Request } from './raw-server.js';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** The flag in a filter that subscribes to changes of a list. */
const FLAGS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

/** The open `subscriptions/listen` requests of clients. */
export class ModernListens {
  private readonly filters = new Map<RequestId, ListenFilter>();
  /** Every requested filter, and the id of each cancelled request. */
  readonly history: (ListenFilter | { readonly cancelled: RequestId })[] = [];

  /** @param isReported - true for resources whose changes are reported */
  constructor(private readonly isReported: (uri: string) => boolean = () => true) {}

  open({ id, params: { notifications = {} } }: Request): void {
    const { resourceSubscriptions = [], ...flags } = notifications;
    this.history.push(notifications);
    const accepted = { ...flags, resourceSubscriptions: resourceSubscriptions.filter(this.isReported) };
    this.filters.set(id, accepted);
    const acknowledged = 'notifications/subscriptions/acknowledged';
    notify(acknowledged, { notifications: accepted, _meta: { [SUBSCRIPTION]: id } });
  }

  cancel(id: RequestId | undefined): void {
    if (id === undefined || !this.filters.delete(id)) return;
    this.history.push({ cancelled: id });
  }

  /** Ends every listen request with its result, as a stopping server does. */
  end(): void {
    for (const id of this.filters.keys())
      answer(id, { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } });
    this.filters.clear();
  }

  listChanged(list: keyof typeof FLAGS): void {
    for (const [id, filter] of this.filters) {
      if (filter[FLAGS[list]] === true)
        notify(`notifications/${list}/list_changed`, { _meta: { [SUBSCRIPTION]: id } });
    }
  }

  updated(uri: string): void {
    for (const [id, { resourceSubscriptions = [] }] of this.filters) {
      if (resourceSubscriptions.includes(uri))
        notify('notifications/resources/updated', { uri, _meta: { [SUBSCRIPTION]: id } });
    }
  }

  taskChanged(taskId: string, task: object): void {
    for (const [id, { taskIds = [] }] of this.filters) {
      if (taskIds.includes(taskId)) notify('notifications/tasks', { ...task, _meta: { [SUBSCRIPTION]: id } });
    }
  }
}
