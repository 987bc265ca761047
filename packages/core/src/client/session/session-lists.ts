import type { Limits } from '@mcpmux/kit';
import { notificationLine } from '@mcpmux/wire';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { SessionExposure } from '../../catalog/exposure/session-exposure.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { CallerView } from '../caller/caller-view.js';
import { ClientLists } from './client-lists.js';
import { firstList, type FirstListParts } from './first-list.js';

/** The dependencies of {@link SessionLists}. */
export interface SessionListsParts extends FirstListParts {
  readonly limits: Limits;
  readonly view: CallerView;
  /** Which tools stand in the list of the client. */
  readonly exposure: Pick<SessionExposure, 'introduce' | 'find'>;
}

/** The client whose lists they are. */
export interface ListedClient {
  readonly profile: ClientProfile | undefined;
  /** True from its first message after `initialize` until its end. */
  readonly isLive: boolean;
  readonly isStanding: boolean;
  send(line: Buffer): void;
}

/** The lists of one session: what its client is told of them, and when the first one is answered. */
export class SessionLists {
  private readonly known: ClientLists;
  private hasAskedForTools = false;

  constructor(
    private readonly client: ListedClient,
    private readonly parts: SessionListsParts,
  ) {
    this.known = new ClientLists(parts.view.catalog, parts);
  }

  /**
   * Lists may have changed: the client is told of those that are not as it knows them. Before it has spoken, a client
   * has seen no list.
   *
   * @param methods the notifications of those lists; all when absent
   */
  changed(methods?: ReadonlySet<string>): void {
    const { client, known } = this;
    if (!client.isLive) return;
    for (const method of known.changes(methods)) client.send(notificationLine(method));
  }

  /** Resolves when the client has requested the lists that have changed, or need not be waited for. */
  async upToDate(): Promise<void> {
    const { client, known } = this;
    this.changed();
    if (client.isLive) await known.requested(client.profile?.listHabit);
  }

  read(kind: ListKind): void {
    if (this.client.isStanding) this.known.read(kind);
  }

  /** Resolves when the first list of tools can be answered; undefined if it can be now. */
  first(): Promise<unknown> | undefined {
    const isFirst = !this.hasAskedForTools;
    this.hasAskedForTools = true;
    return isFirst ? firstList(this.parts.view.sees, this.parts) : undefined;
  }

  /** The client has found tools. One that never looks at its list again gains nothing from a longer one. */
  async found(names: readonly string[]): Promise<void> {
    const { client, parts } = this;
    if (client.profile?.listHabit === 'ignores' || !client.isStanding) return;
    if (parts.exposure.find(names, parts.view.catalog.snapshot())) await this.upToDate();
  }

  /** From here on the client is told of changes. */
  begin(): void {
    this.known.begin();
  }

  end(): void {
    this.known.end();
  }
}
