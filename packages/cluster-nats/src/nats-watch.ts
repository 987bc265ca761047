import type { KV } from '@nats-io/kv';
import { ClusterError, type BucketChange } from '@mcpmux/cluster';

type WatchedChanges = Awaited<ReturnType<KV['watch']>>;

/** The maximum time for a watch to report the existing keys, in milliseconds. */
const COMPLETE_TIMEOUT_MS = 3000;
/** The initial and maximum interval between comparisons of a watch with its bucket. */
const CHECK_INTERVAL_MS = 3000;
const MAX_CHECK_INTERVAL_MS = 60_000;
/** The delay before an unanswered check is repeated. In the meantime, the remaining servers can elect a leader. */
const RETRY_DELAY_MS = 500;
/**
 * The interval at which all keys are reported again. A watch may read a replica whose revisions exceed the leader's. If
 * the leader catches up before the next check, its changes up to that revision count as reported and would be lost.
 */
const FULL_REPORT_INTERVAL_MS = 300_000;

/**
 * Reports the changes to a bucket. A watch depends on one NATS server, whose loss the NATS client detects only after a
 * minute or more. This class compares the watch with the bucket, and opens another watch within seconds.
 */
export class NatsWatch {
  /** The revision of the last reported change. */
  private reportedRevision = 0;
  /** The revision of the bucket at the last check. */
  private bucketRevision = 0;
  private changes: WatchedChanges | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkIntervalMs = CHECK_INTERVAL_MS;
  /** The time at which all keys were last requested, in milliseconds since 1970. */
  private lastFullReportAt = Date.now();
  private isStopped = false;

  constructor(
    private readonly store: KV,
    private readonly onChange: (change: BucketChange) => void,
  ) {}

  /** Resolves when the existing keys have been reported. @throws ClusterError UNAVAILABLE */
  async start(): Promise<void> {
    const { values: keyCount } = await this.store.status();
    const whenComplete = this.replaceWatch(await this.store.watch());
    if (keyCount > 0 && !(await completesInTime(whenComplete))) {
      this.stop();
      throw new ClusterError('UNAVAILABLE', 'NATS did not report the keys of a bucket in time.');
    }
    this.scheduleCheck(this.checkIntervalMs);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.changes?.stop();
  }

  /** Replaces the watch. Resolves when all existing keys have been reported. */
  private replaceWatch(changes: WatchedChanges): Promise<void> {
    this.changes?.stop();
    this.changes = changes;
    return new Promise((resolve) => void this.reportChanges(changes, resolve));
  }

  private async reportChanges(changes: WatchedChanges, onComplete: () => void): Promise<void> {
    for await (const entry of changes) {
      const { key, operation, value, revision, delta } = entry;
      // Another watch has replaced this one and also reports the change.
      if (this.changes !== changes) return;
      if (revision > this.reportedRevision && !this.isStopped) {
        this.reportedRevision = revision;
        this.onChange({ key, value: operation === 'PUT' ? value : undefined, revision });
      }
      if (delta === 0) onComplete();
    }
  }

  private scheduleCheck(afterMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      void this.check().then((nextMs) => this.scheduleCheck(nextMs));
    }, afterMs);
    this.timer.unref();
  }

  /** Returns the time until the next check, in milliseconds. */
  private async check(): Promise<number> {
    try {
      if (this.reportedRevision < this.bucketRevision) await this.resumeWatch();
      const { reportedRevision } = this;
      this.bucketRevision = (await this.store.status()).streamInfo.state.last_seq;
      const isAhead = reportedRevision > this.bucketRevision;
      this.checkIntervalMs = isAhead
        ? Math.min(2 * this.checkIntervalMs, MAX_CHECK_INTERVAL_MS)
        : CHECK_INTERVAL_MS;
      if (isAhead || Date.now() - this.lastFullReportAt >= FULL_REPORT_INTERVAL_MS) await this.reportAll();
      return this.checkIntervalMs;
    } catch {
      // The bucket currently has no leader, or the connection is lost.
      return RETRY_DELAY_MS;
    }
  }

  /** Requests the changes since the last reported one. */
  private async resumeWatch(): Promise<void> {
    await this.openWatch({ resumeFromRevision: this.reportedRevision + 1 });
  }

  /**
   * Reports all keys again with the revisions of the current leader. If the bucket's revision is lower than the
   * reported one, its replicas differ because a server was killed (NATS 2.9 applies the last changes twice). They may
   * differ for a long time, so the next check is delayed.
   */
  private async reportAll(): Promise<void> {
    await this.openWatch({}, true);
    this.lastFullReportAt = Date.now();
  }

  /** Opens another watch. The previous one reports until then. @param isForAll true if the watch reports all keys */
  private async openWatch(options: Parameters<KV['watch']>[0], isForAll = false): Promise<void> {
    const changes = await this.store.watch(options);
    if (this.isStopped) return changes.stop();
    if (isForAll) this.reportedRevision = 0;
    void this.replaceWatch(changes);
  }
}

async function completesInTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), COMPLETE_TIMEOUT_MS);
  });
  const isDone = await Promise.race([work.then(() => true), timeout]);
  clearTimeout(timer);
  return isDone;
}
