import type { KV } from '@nats-io/kv';
import { ClusterError, type BucketChange } from '@mcpmux/cluster';

type WatchedChanges = Awaited<ReturnType<KV['watch']>>;

/** How long a new watch may take to report the existing keys, in milliseconds. */
const COMPLETE_TIMEOUT_MS = 3000;
/** The initial and the maximum interval of the check that compares a watch's revision with its bucket's. */
const CHECK_INTERVAL_MS = 3000;
const MAX_CHECK_INTERVAL_MS = 60_000;
/** The delay before a failed check is repeated. In the meantime, the remaining servers can elect a leader. */
const RETRY_DELAY_MS = 500;
/**
 * How often all keys are reported again. A watch may read a replica whose revision is ahead of the leader's. If the
 * leader reaches that revision before the next check, its own changes would be mistaken for reported ones.
 */
const FULL_REPORT_INTERVAL_MS = 300_000;

/**
 * Reports the changes to a bucket. A watch depends on one NATS server, and the NATS client may notice its loss only
 * after a minute or more. This class therefore checks every few seconds for missed changes, and opens another watch.
 */
export class NatsWatch {
  /** The revision of the last reported change. */
  private reportedRevision = 0;
  /** The bucket's revision at the last check. */
  private bucketRevision = 0;
  private changes: WatchedChanges | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkIntervalMs = CHECK_INTERVAL_MS;
  /** When all keys were last requested, in milliseconds since the Unix epoch. */
  private lastFullReportAt = Date.now();
  private isStopped = false;

  constructor(
    private readonly store: KV,
    private readonly onChange: (change: BucketChange) => void,
  ) {}

  /** Resolves when the existing keys have been reported. @throws ClusterError UNAVAILABLE if that takes too long */
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

  /** Stops the previous watch. Resolves when the new one has reported all pending changes. */
  private replaceWatch(changes: WatchedChanges): Promise<void> {
    this.changes?.stop();
    this.changes = changes;
    return new Promise((resolve) => void this.reportChanges(changes, resolve));
  }

  private async reportChanges(changes: WatchedChanges, onComplete: () => void): Promise<void> {
    for await (const entry of changes) {
      const { key, operation, value, revision, delta } = entry;
      // A newer watch has replaced this one and also reports the change.
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

  /** Opens another watch if this one has missed changes. Returns the delay before the next check, in milliseconds. */
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

  private async resumeWatch(): Promise<void> {
    await this.openWatch({ resumeFromRevision: this.reportedRevision + 1 });
  }

  /**
   * Reports all keys again, with the current leader's revisions. If the bucket's revision is lower than the reported
   * one, the replicas have diverged because a server was killed (NATS 2.9 applies the last changes twice). They may
   * remain so for a long time, so checks become less frequent.
   */
  private async reportAll(): Promise<void> {
    await this.openWatch({}, true);
    this.lastFullReportAt = Date.now();
  }

  /** Opens another watch, while the previous one continues to report. With `isForAll`, reports all keys again. */
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
