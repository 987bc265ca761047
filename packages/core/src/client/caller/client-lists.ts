import { type Kit, waitAtMost } from '@mcpmux/kit';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { ListPages } from '../../catalog/list-pages.js';
import type { ClientProfile, ListHabit } from '../../server/dialect/client-profile.js';
import { LIST_KINDS, LISTS, type ListKind } from '../../server/lists/list-kind.js';

/**
 * The delay between the list and the answer of a tool, in milliseconds. The client must read the list before the
 * answer.
 */
const READING_MS = 50;

/** A notification that the client's tools have changed. The client has not requested them since then. */
interface PendingNotice {
  /** A reading of the clock. */
  readonly at: number;
  readonly requested: Promise<void>;
  readonly resolve: () => void;
}

/**
 * The reaction of a client to a change to its tools. `proven`: it requested the list after the last `list_changed`.
 * `presumed`: it has requested the list, and there was no change since.
 */
type Following = 'not' | 'presumed' | 'proven';

/** The lists that one client knows, and a record of how it reacts to notifications. */
export class ClientLists {
  /** The lists that the client has read, or was notified of. */
  private readonly known = new Map<ListKind, ListPages>();
  private notice: PendingNotice | undefined;
  /** The time of the client's last request for a list after a notification: a reading of the clock. */
  private requestedAt = Number.NEGATIVE_INFINITY;
  private follows: Following = 'not';
  private isOver = false;

  constructor(
    private readonly catalog: Pick<CatalogView, 'list'>,
    private readonly kit: Pick<Kit<'listRequestMs' | 'listRhythmMs'>, 'clock' | 'limits'>,
    /** Some guards give their tools to clients with certain names. */
    private readonly client: { readonly profile: Pick<ClientProfile, 'name'> | undefined },
  ) {}

  /** The client has connected. It reads the current lists itself, and is notified only of later changes. */
  begin(): void {
    for (const kind of LIST_KINDS)
      this.known.set(kind, this.catalog.list(kind, { client: this.client.profile?.name }));
  }

  /**
   * The client got the first page of a list.
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
   * Returns the methods of the notifications that the caller must send now. Records the client as notified.
   *
   * @param possible the notifications of the lists that may have changed; all when absent
   */
  changes(possible?: ReadonlySet<string>): ReadonlySet<string> {
    const isPossible = (kind: ListKind): boolean => possible?.has(LISTS[kind].changed) ?? true;
    const kinds = LIST_KINDS.filter((kind) => isPossible(kind) && this.recordChange(kind));
    if (kinds.includes('tools')) this.report();
    return new Set(kinds.map((kind) => LISTS[kind].changed));
  }

  /**
   * Resolves once the client has requested the tools that it has been notified of, or at once if no request is
   * expected.
   *
   * @param habit the habit of clients with this name. When absent, a request is expected if the client has requested
   * its tools after the last notification
   */
  async requested(habit: ListHabit | undefined): Promise<void> {
    const { notice, kit } = this;
    const isAwaited = habit === undefined ? this.follows !== 'not' : habit === 'requests';
    if (!isAwaited || this.isOver) return;
    // The client has already requested the list, before the tool had its result.
    if (notice === undefined) return this.readingTime();
    const isKnown = this.follows === 'proven' || (this.follows === 'presumed' && habit === 'requests');
    const { listRequestMs, listRhythmMs } = kit.limits;
    const patienceMs = isKnown ? listRhythmMs : listRequestMs;
    if (this.isLate(notice, patienceMs)) return;
    const isRequested = await waitAtMost(patienceMs, notice.requested, kit.clock);
    if (!isRequested) this.follows = 'not';
    else if (!this.isOver) await this.readingTime();
  }

  /** The client will not request anything from now on. */
  end(): void {
    this.isOver = true;
    this.notice?.resolve();
  }

  /** Records the current list. Returns true if the list was different before. */
  private recordChange(kind: ListKind): boolean {
    const now = this.catalog.list(kind, { client: this.client.profile?.name });
    const before = this.known.get(kind);
    this.known.set(kind, now);
    return before === undefined || !now.equals(before);
  }

  private report(): void {
    const { notice: before, follows } = this;
    const { listRequestMs, listRhythmMs } = this.kit.limits;
    const patienceMs = follows === 'proven' ? listRhythmMs : listRequestMs;
    if (before !== undefined && this.isLate(before, patienceMs)) this.follows = 'not';
    const at = this.kit.clock.now();
    this.notice = before === undefined ? { at, ...newPromise() } : { ...before, at };
  }

  /** True if a request that arrives now is too late to be a reaction to the notification. */
  private isLate({ at }: PendingNotice, patienceMs: number): boolean {
    return this.kit.clock.now() > at + patienceMs;
  }

  /** Resolves when the client has had the time to read the list that it requested last. */
  private async readingTime(): Promise<void> {
    const { clock } = this.kit;
    const leftMs = this.requestedAt + READING_MS - clock.now();
    if (leftMs <= 0) return;
    await new Promise<void>((resolve) => {
      clock.schedule(resolve, leftMs);
    });
  }
}

function newPromise(): Pick<PendingNotice, 'requested' | 'resolve'> {
  let resolve: () => void = () => undefined;
  const requested = new Promise<void>((resolved) => (resolve = resolved));
  return { requested, resolve };
}
