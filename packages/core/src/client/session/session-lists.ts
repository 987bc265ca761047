import { notificationLine } from '@mcpmux/wire';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { CallerView } from '../caller/caller-view.js';
import { ClientLists } from '../caller/client-lists.js';
import { whenFirstListReady, type FirstListWait, type ListingClient } from './first-list.js';

/** The client that receives a session's lists. */
export interface ListedClient {
  readonly profile: ClientProfile | undefined;
  /** True from the client's first message after `initialize` until the session ends. */
  readonly isLive: boolean;
  readonly isPersistent: boolean;
  send(line: Buffer): void;
}

/** One session's lists. Notifies the client of changes, and delays the client's first tool list. */
export class SessionLists {
  private readonly lists: ClientLists;
  private hasRequestedTools = false;

  constructor(
    private readonly client: ListedClient,
    private readonly view: CallerView,
    /** Selects the tools in the client's list. */
    private readonly exposure: Pick<SessionExposure, 'setClient' | 'addFoundTools'>,
    private readonly waitParts: FirstListWait,
  ) {
    this.lists = new ClientLists(view.catalog, waitParts, client);
  }

  /**
   * Notifies a live client of the lists that have changed since it last read them or was notified.
   *
   * @param methods the notification methods of the lists that may have changed; all if absent
   */
  announceChanges(methods?: ReadonlySet<string>): void {
    const { client, lists } = this;
    if (!client.isLive) return;
    for (const method of lists.recordNotifications(methods)) client.send(notificationLine(method));
  }

  /** Notifies the client of changed lists. Resolves when the client has requested them, or is not expected to. */
  async announceAndWait(): Promise<void> {
    const { client, lists } = this;
    this.announceChanges();
    if (client.isLive) await lists.whenRequested(client.profile?.listHabit);
  }

  recordRead(kind: ListKind): void {
    if (this.client.isPersistent) this.lists.recordRead(kind);
  }

  /** Resolves when the first tool-list request can be answered; undefined if it can be answered immediately. */
  whenToolsReady(caller: ListingClient): Promise<unknown> | undefined {
    const isFirstRequest = !this.hasRequestedTools;
    this.hasRequestedTools = true;
    return isFirstRequest ? whenFirstListReady(caller, this.waitParts) : undefined;
  }

  /** Adds found tools to the client's list, unless the client is known never to request the list again. */
  async revealTools(names: readonly string[]): Promise<void> {
    const { client, view, exposure } = this;
    if (client.profile?.listHabit === 'ignores' || !client.isPersistent) return;
    if (exposure.addFoundTools(names, view.catalog.snapshot())) await this.announceAndWait();
  }

  startNotifying(): void {
    this.lists.startTracking();
  }

  stopNotifying(): void {
    this.lists.stopTracking();
  }
}
