import { notificationLine } from '@mcpmux/wire';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { CallerView } from '../caller/caller-view.js';
import { ClientLists } from '../caller/client-lists.js';
import { firstList, type FirstListWait, type ListingClient } from './first-list.js';

/** The client of a session's lists. */
export interface ListedClient {
  readonly profile: ClientProfile | undefined;
  /** True from the client's first message after `initialize` until its end. */
  readonly isLive: boolean;
  readonly isStanding: boolean;
  send(line: Buffer): void;
}

/** The lists of one session: the notifications for its client, and the time of its first list. */
export class SessionLists {
  private readonly known: ClientLists;
  private hasAskedForTools = false;

  constructor(
    private readonly client: ListedClient,
    private readonly view: CallerView,
    /** The selection of tools in the client's list. */
    private readonly exposure: Pick<SessionExposure, 'introduce' | 'find'>,
    private readonly wait: FirstListWait,
  ) {
    this.known = new ClientLists(view.catalog, wait, client);
  }

  /**
   * Notifies the client of the lists that differ from the lists it knows. A client has seen no list before its first
   * message.
   *
   * @param methods the notifications of the lists that may have changed; all when absent
   */
  changed(methods?: ReadonlySet<string>): void {
    const { client, known } = this;
    if (!client.isLive) return;
    for (const method of known.changes(methods)) client.send(notificationLine(method));
  }

  /** Resolves when the client has requested the changed lists or no request is expected. */
  async upToDate(): Promise<void> {
    const { client, known } = this;
    this.changed();
    if (client.isLive) await known.requested(client.profile?.listHabit);
  }

  read(kind: ListKind): void {
    if (this.client.isStanding) this.known.read(kind);
  }

  /** Resolves when the first list of tools can be answered. Returns undefined if it can be answered immediately. */
  first(caller: ListingClient): Promise<unknown> | undefined {
    const isFirst = !this.hasAskedForTools;
    this.hasAskedForTools = true;
    return isFirst ? firstList(caller, this.wait) : undefined;
  }

  /**
   * Adds the tools that the client has found to the client's list. A client that never requests its list again gains
   * nothing from a longer list.
   */
  async found(names: readonly string[]): Promise<void> {
    const { client, view, exposure } = this;
    if (client.profile?.listHabit === 'ignores' || !client.isStanding) return;
    if (exposure.find(names, view.catalog.snapshot())) await this.upToDate();
  }

  /** Starts notifying the client of changes. */
  begin(): void {
    this.known.begin();
  }

  end(): void {
    this.known.end();
  }
}
