import { type Kit, waitAtMost } from '@mcpmux/kit';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { ListPages } from '../../catalog/list-pages.js';
import type { ClientProfile, ListHabit } from '../../server/dialect/client-profile.js';
import { LIST_KINDS, LISTS, type ListKind } from '../../server/lists/list-kind.js';

/** The minimum delay between a list and a tool call's result, in milliseconds, so that clients read the list first. */
const LIST_READING_MS = 50;

/** A notification of changed tools to which the client has not yet reacted with a list request. */
interface PendingNotice {
  /** The clock reading when the notification was sent. */
  readonly sentAt: number;
  readonly whenRequested: Promise<void>;
  readonly resolve: () => void;
}

/**
 * The client's reaction to changed tools. `proven`: it requested the list after the last `list_changed`. `presumed`: it
 * has requested the list, but has not been sent a `list_changed` since.
 */
type ListChangeSupport = 'not' | 'presumed' | 'proven';

/** The lists that one client knows, and its reactions to notifications. */
export class ClientLists {
  /** The lists that the client has read, or of whose changes it has been notified. */
  private readonly knownLists = new Map<ListKind, ListPages>();
  private pendingNotice: PendingNotice | undefined;
  /** The clock reading when the client last requested a list in response to a notification. */
  private requestedAt = Number.NEGATIVE_INFINITY;
  private listChangeSupport: ListChangeSupport = 'not';
  private isEnded = false;

  constructor(
    private readonly catalog: Pick<CatalogView, 'list'>,
    private readonly kit: Pick<Kit<'listRequestMs' | 'listRhythmMs'>, 'clock' | 'limits'>,
    /** The client; some guards offer tools only to clients with certain names. */
    private readonly client: { readonly profile: Pick<ClientProfile, 'name'> | undefined },
  ) {}

  /** Starts tracking a connected client. It reads the current lists itself, so it is notified only of later changes. */
  startTracking(): void {
    for (const kind of LIST_KINDS)
      this.knownLists.set(kind, this.catalog.list(kind, { client: this.client.profile?.name }));
  }

  /**
   * Records that the client got the first page of a list.
   *
   * @param isKnown false if another client of the same principal may have got the page
   */
  recordRead(kind: ListKind, isKnown = true): void {
    if (isKnown) this.knownLists.set(kind, this.catalog.list(kind, { client: this.client.profile?.name }));
    if (kind !== 'tools') return;
    const { pendingNotice } = this;
    this.pendingNotice = undefined;
    if (pendingNotice === undefined) {
      if (this.listChangeSupport === 'not') this.listChangeSupport = 'presumed';
      return;
    }
    this.listChangeSupport = this.isLate(pendingNotice, this.kit.limits.listRhythmMs) ? 'not' : 'proven';
    this.requestedAt = this.kit.clock.now();
    pendingNotice.resolve();
  }

  /**
   * Returns the methods of the notifications to send now, and records them as sent.
   *
   * @param possible the methods of the notifications for lists that may have changed; all when absent
   */
  recordNotifications(possible?: ReadonlySet<string>): ReadonlySet<string> {
    const mayHaveChanged = (kind: ListKind): boolean => possible?.has(LISTS[kind].changedMethod) ?? true;
    const kinds = LIST_KINDS.filter((kind) => mayHaveChanged(kind) && this.recordChange(kind));
    if (kinds.includes('tools')) this.recordNotice();
    return new Set(kinds.map((kind) => LISTS[kind].changedMethod));
  }

  /**
   * Resolves once the client has requested the changed tools, or after a time limit, or immediately if no request is
   * expected.
   *
   * @param habit the habit of clients with this name; when absent, this client's own reactions to changes decide
   */
  async whenRequested(habit: ListHabit | undefined): Promise<void> {
    const { pendingNotice, kit } = this;
    const isRequestExpected = habit === undefined ? this.listChangeSupport !== 'not' : habit === 'requests';
    if (!isRequestExpected || this.isEnded) return;
    // The client requested the list without waiting for the tool call's result.
    if (pendingNotice === undefined) return this.waitForReading();
    const isKnownToRequest =
      this.listChangeSupport === 'proven' || (this.listChangeSupport === 'presumed' && habit === 'requests');
    const { listRequestMs, listRhythmMs } = kit.limits;
    const waitMs = isKnownToRequest ? listRhythmMs : listRequestMs;
    if (this.isLate(pendingNotice, waitMs)) return;
    const isRequested = await waitAtMost(waitMs, pendingNotice.whenRequested, kit.clock);
    if (!isRequested) this.listChangeSupport = 'not';
    else if (!this.isEnded) await this.waitForReading();
  }

  /** Stops tracking a client that will send no more requests. */
  stopTracking(): void {
    this.isEnded = true;
    this.pendingNotice?.resolve();
  }

  /** Records the current list as known. Returns true if it differs from the list that was known before. */
  private recordChange(kind: ListKind): boolean {
    const currentList = this.catalog.list(kind, { client: this.client.profile?.name });
    const previousList = this.knownLists.get(kind);
    this.knownLists.set(kind, currentList);
    return previousList === undefined || !currentList.equals(previousList);
  }

  private recordNotice(): void {
    const { pendingNotice: previous, listChangeSupport } = this;
    const { listRequestMs, listRhythmMs } = this.kit.limits;
    const waitMs = listChangeSupport === 'proven' ? listRhythmMs : listRequestMs;
    if (previous !== undefined && this.isLate(previous, waitMs)) this.listChangeSupport = 'not';
    const sentAt = this.kit.clock.now();
    this.pendingNotice = previous === undefined ? { sentAt, ...newPromise() } : { ...previous, sentAt };
  }

  /** True if the client has had more than `waitMs` to react to the notification. */
  private isLate({ sentAt }: PendingNotice, waitMs: number): boolean {
    return this.kit.clock.now() > sentAt + waitMs;
  }

  /** Resolves when the client has had time to read the list that it last requested. */
  private async waitForReading(): Promise<void> {
    const { clock } = this.kit;
    const remainingMs = this.requestedAt + LIST_READING_MS - clock.now();
    if (remainingMs <= 0) return;
    await new Promise<void>((resolve) => {
      clock.schedule(resolve, remainingMs);
    });
  }
}

function newPromise(): Pick<PendingNotice, 'whenRequested' | 'resolve'> {
  let resolve: () => void = () => undefined;
  const whenRequested = new Promise<void>((resolved) => (resolve = resolved));
  return { whenRequested, resolve };
}
