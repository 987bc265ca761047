import { type Kit, waitAtMost } from '@mcpmux/kit';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { ListPages } from '../../catalog/list-pages.js';
import type { ClientProfile, ListHabit } from '../../server/dialect/client-profile.js';
import { LIST_KINDS, LISTS, type ListKind } from '../../server/lists/list-kind.js';

/**
 * How long a tool call's result waits after a list request, in milliseconds, so that the client reads the list first.
 */
const LIST_READING_MS = 50;

/** A notification of changed tools to which the client has not yet reacted with a list request. */
interface PendingNotice {
  /** The clock reading when the notification was last sent. */
  readonly sentAt: number;
  readonly whenRequested: Promise<void>;
  readonly resolve: () => void;
}

/**
 * How the client reacts to changed tools. `proven`: it requested the list in time after the last `list_changed`.
 * `presumed`: it has requested the list, but no `list_changed` has been sent since.
 */
type ListChangeSupport = 'not' | 'presumed' | 'proven';

/** The lists that one client knows, and its reactions to notifications. */
export class ClientLists {
  /** The lists as the client last read them or was last notified of their changes. */
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

  /**
   * Starts tracking a connected client, which reads the current lists itself, so it is notified only of later changes.
   */
  startTracking(): void {
    for (const kind of LIST_KINDS)
      this.knownLists.set(kind, this.catalog.list(kind, { client: this.client.profile?.name }));
  }

  /**
   * Records that the client was sent the first page of a list.
   *
   * @param isKnown false if another client of the same principal may have received the page
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
   * Returns the methods of the notifications that are due, and records them as sent.
   *
   * @param possible the methods to consider, because only their lists may have changed; if absent, all methods
   */
  recordNotifications(possible?: ReadonlySet<string>): ReadonlySet<string> {
    const mayHaveChanged = (kind: ListKind): boolean => possible?.has(LISTS[kind].changedMethod) ?? true;
    const kinds = LIST_KINDS.filter((kind) => mayHaveChanged(kind) && this.recordChange(kind));
    if (kinds.includes('tools')) this.recordNotice();
    return new Set(kinds.map((kind) => LISTS[kind].changedMethod));
  }

  /**
   * Resolves once the client has requested the changed tools, after a time limit, or immediately if no request is
   * expected.
   *
   * @param habit the known habit of clients with this name; if absent, this client's own reactions decide
   */
  async whenRequested(habit: ListHabit | undefined): Promise<void> {
    const { pendingNotice, kit } = this;
    const isRequestExpected = habit === undefined ? this.listChangeSupport !== 'not' : habit === 'requests';
    if (!isRequestExpected || this.isEnded) return;
    // The client has already requested the list, without waiting for the tool call's result.
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

  /** Resolves once the client has had time to read the list that it last requested. */
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
