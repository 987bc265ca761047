import type { Clock, Timer } from '@mcpmux/kit';
import type { ListKind } from './list-kind.js';
import { TokenBucket } from '../link/token-bucket.js';

/** Lists read again at once, as servers do that change one thing after another; from then on one in a second. */
const RATE = { burst: 10, perSecond: 1 };

/** Where a list stands that is to be read when its time has come, or is being read. */
type Refresh =
  | { readonly kind: 'waiting'; readonly timer: Timer }
  /** `again`: it has changed since the reading began. */
  | { readonly kind: 'reading'; readonly again: boolean };

/**
 * Reads the lists of one run again when the server says that they have changed.
 *
 * Each list is read by one reader at a time; changes announced meanwhile cause one more reading, so that the last state
 * is always read. A server that announces and announces is asked once in a second.
 */
export class Relister {
  private readonly refreshes = new Map<ListKind, Refresh>();
  private readonly bucket: TokenBucket;
  private isOver = false;

  /** @param read must not reject */
  constructor(
    private readonly clock: Clock,
    private readonly read: (kind: ListKind) => Promise<void>,
  ) {
    this.bucket = new TokenBucket(RATE, clock);
  }

  changed(kind: ListKind): void {
    if (this.isOver) return;
    const refresh = this.refreshes.get(kind);
    if (refresh === undefined) this.plan(kind);
    if (refresh?.kind === 'reading') this.refreshes.set(kind, { kind: 'reading', again: true });
  }

  /** The run is over: nothing is read any more. */
  end(): void {
    this.isOver = true;
    for (const refresh of this.refreshes.values()) if (refresh.kind === 'waiting') refresh.timer.cancel();
    this.refreshes.clear();
  }

  private plan(kind: ListKind): void {
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
    if (refresh?.kind === 'reading' && refresh.again) this.plan(kind);
  }
}
