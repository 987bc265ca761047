import { type Kit, waitAtMost } from '@mcpmux/kit';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { ListPages } from '../../catalog/list-pages.js';
import type { ClientProfile, ListHabit } from '../../server/dialect/client-profile.js';
import { LIST_KINDS, LISTS, type ListKind } from '../../server/lists/list-kind.js';

/**
 * The minimum time between a list and the result of a tool call, in milliseconds, so that the client can read the list
 * first.
 */
const READING_MS = 50;

/** A notification of changed tools that the client has not followed by a list request. */
interface PendingNotice {
  /** The clock reading when the notification was sent. */
  readonly sentAt: number;
  readonly requested: Promise<void>;
  readonly resolve: () => void;
}

/**
 * The client's reaction to changed tools. `proven`: the client requested the list after the last `list_changed`.
 * `presumed`: the client has requested the list, and no change has followed.
 */
type Following = 'not' | 'presumed' | 'proven';

/** The lists that one client knows, and its reactions to notifications. */
export class ClientLists {
  /** The lists that the client has read or was notified of. */
  private readonly known = new Map<ListKind, ListPages>();
  private notice: PendingNotice | undefined;
  /** The clock reading at the client's last list request after a notification. */
  private requestedAt = Number.NEGATIVE_INFINITY;
  private follows: Following = 'not';
  private isEnded = false;

  constructor(
    private readonly catalog: Pick<CatalogView, 'list'>,
    private readonly kit: Pick<Kit<'listRequestMs' | 'listRhythmMs'>, 'clock' | 'limits'>,
    /** The client; some guards offer tools only to clients with certain names. */
    private readonly client: { readonly profile: Pick<ClientProfile, 'name'> | undefined },
  ) {}

  /**
   * Starts tracking a client that has connected. The client reads the current lists itself and is notified only of
   * later changes.
   */
  begin(): void {
    for (const kind of LIST_KINDS)
      this.known.set(kind, this.catalog.list(kind, { client: this.client.profile?.name }));
  }

  /**
   * Records that the client got the first page of a list.
   *
   * @param isKnown false if the page may have gone to another client of the same name
   */
  read(kind: ListKind, isKnown = true): void {
    if (isKnown) this.known.set(kind, this.catalog.list(kind, { client: this.client.profile?.name }));
    if (kind !== 'tools') return;
    const { notice } = this;
    this.notice = undefined;
    if (notice === undefined) {
      if (this.follows === 'not') this.follows = 'presumed';
      return;
    }
    this.follows = this.isLate(notice, this.kit.limits.listRhythmMs) ? 'not' : 'proven';
    this.requestedAt = this.kit.clock.now();
    notice.resolve();
  }

  /**
   * Returns the methods of the notifications to send now, and records them as sent.
   *
   * @param possible the notifications of lists that may have changed; all when absent
   */
  changes(possible?: ReadonlySet<string>): ReadonlySet<string> {
    const isPossible = (kind: ListKind): boolean => possible?.has(LISTS[kind].changed) ?? true;
    const kinds = LIST_KINDS.filter((kind) => isPossible(kind) && this.recordChange(kind));
    if (kinds.includes('tools')) this.report();
    return new Set(kinds.map((kind) => LISTS[kind].changed));
  }

  /**
   * Resolves once the client has requested the changed tools, or immediately if no request is expected.
   *
   * @param habit the habit of clients with this name. When absent, a request is expected if the client requested its
   * tools after the last notification
   */
  async whenRequested(habit: ListHabit | undefined): Promise<void> {
    const { notice, kit } = this;
    const isAwaited = habit === undefined ? this.follows !== 'not' : habit === 'requests';
    if (!isAwaited || this.isEnded) return;
    // The client requested the list before the tool had its result.
    if (notice === undefined) return this.waitForReading();
    const isKnown = this.follows === 'proven' || (this.follows === 'presumed' && habit === 'requests');
    const { listRequestMs, listRhythmMs } = kit.limits;
    const waitMs = isKnown ? listRhythmMs : listRequestMs;
    if (this.isLate(notice, waitMs)) return;
    const isRequested = await waitAtMost(waitMs, notice.requested, kit.clock);
    if (!isRequested) this.follows = 'not';
    else if (!this.isEnded) await this.waitForReading();
  }

  /** Stops tracking a client that will send no more requests. */
  end(): void {
    this.isEnded = true;
    this.notice?.resolve();
  }

  /** Records the current list. Returns true if the list has changed. */
  private recordChange(kind: ListKind): boolean {
    const current = this.catalog.list(kind, { client: this.client.profile?.name });
    const previous = this.known.get(kind);
    this.known.set(kind, current);
    return previous === undefined || !current.equals(previous);
  }

  private report(): void {
    const { notice: previous, follows } = this;
    const { listRequestMs, listRhythmMs } = this.kit.limits;
    const waitMs = follows === 'proven' ? listRhythmMs : listRequestMs;
    if (previous !== undefined && this.isLate(previous, waitMs)) this.follows = 'not';
    const sentAt = this.kit.clock.now();
    this.notice = previous === undefined ? { sentAt, ...newPromise() } : { ...previous, sentAt };
  }

  /** True if the time for a reaction to the notification has passed. */
  private isLate({ sentAt }: PendingNotice, waitMs: number): boolean {
    return this.kit.clock.now() > sentAt + waitMs;
  }

  /** Resolves when the client has had time to read the list that it requested last. */
  private async waitForReading(): Promise<void> {
    const { clock } = this.kit;
    const remainingMs = this.requestedAt + READING_MS - clock.now();
    if (remainingMs <= 0) return;
    await new Promise<void>((resolve) => {
      clock.schedule(resolve, remainingMs);
    });
  }
}

function newPromise(): Pick<PendingNotice, 'requested' | 'resolve'> {
  let resolve: () => void = () => undefined;
  const requested = new Promise<void>((resolved) => (resolve = resolved));
  return { requested, resolve };
}
