import type { Clock, Timer } from '@mcpmux/kit';
import type { ListKind } from './list-kind.js';
import { TokenBucket } from '../link/token-bucket.js';

/** Limits the rate of list requests. The first 10 are not delayed, because servers often announce several changes. */
const LIST_REQUEST_RATE = { burst: 10, perSecond: 1 };

/** The state of a list that is being read or will be read. */
type RefreshState =
  | { readonly kind: 'waiting'; readonly timer: Timer }
  /** `again` is true if a change was announced after the read began. */
  | { readonly kind: 'reading'; readonly again: boolean };

/**
 * Reads the lists of one run again when the server announces a change.
 *
 * The class never runs two reads of one list concurrently. A change during a read causes another read, so mcpmux always
 * gets the latest state. If a server never stops announcing changes, mcpmux reads one list per second.
 */
export class Relister {
  private readonly refreshes = new Map<ListKind, RefreshState>();
  private readonly bucket: TokenBucket;
  private isOver = false;

  /** @param read must not reject */
  constructor(
    private readonly clock: Clock,
    private readonly read: (kind: ListKind) => Promise<void>,
  ) {
    this.bucket = new TokenBucket(LIST_REQUEST_RATE, clock);
  }

  scheduleRefresh(kind: ListKind): void {
    if (this.isOver) return;
    const refresh = this.refreshes.get(kind);
    if (refresh === undefined) this.scheduleRead(kind);
    if (refresh?.kind === 'reading') this.refreshes.set(kind, { kind: 'reading', again: true });
  }

  /** Stops reading lists, because the run has ended. */
  end(): void {
    this.isOver = true;
    for (const refresh of this.refreshes.values()) if (refresh.kind === 'waiting') refresh.timer.cancel();
    this.refreshes.clear();
  }

  private scheduleRead(kind: ListKind): void {
    const delayMs = this.bucket.reserve();
    if (delayMs === 0) return void this.readNow(kind);
    const timer = this.clock.schedule(() => void this.readNow(kind), delayMs);
    this.refreshes.set(kind, { kind: 'waiting', timer });
  }

  private async readNow(kind: ListKind): Promise<void> {
    this.refreshes.set(kind, { kind: 'reading', again: false });
    await this.read(kind);
    if (this.isOver) return;
    const refresh = this.refreshes.get(kind);
    this.refreshes.delete(kind);
    if (refresh?.kind === 'reading' && refresh.again) this.scheduleRead(kind);
  }
}
