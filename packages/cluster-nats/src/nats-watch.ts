import type { KV } from '@nats-io/kv';
import { ClusterError, type BucketChange } from '@mcpmux/cluster';

type Changes = Awaited<ReturnType<KV['watch']>>;

/** The maximum time for a watch to report the existing keys. */
const COMPLETE_MS = 3000;
/** The initial and the maximum interval between comparisons of a watch with its bucket. */
const CHECK_MS = 3000;
const MAX_CHECK_MS = 60_000;
/** The pause before an unanswered check is repeated. The remaining servers must first elect a leader. */
const RETRY_MS = 500;
/**
 * The interval at which all keys are reported again. A watch may have read a copy with higher revisions than the leader
 * has. If the leader passes these revisions before the next check, the changes up to them would be treated as already
 * reported and lost.
 */
const RENEW_MS = 300_000;

/**
 * Reports the changes to a bucket. A watch depends on one NATS server, whose loss the NATS client detects only after a
 * minute or more. This class compares the watch with the bucket, and opens another watch within seconds.
 */
export class NatsWatch {
  /** The revision of the last reported change. */
  private reportedRevision = 0;
  /** The revision of the bucket at the last check. */
  private bucketRevision = 0;
  private changes: Changes | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkMs = CHECK_MS;
  /** The time at which all keys were last requested, in milliseconds since 1970. */
  private renewedAt = Date.now();
  private isStopped = false;

  constructor(
    private readonly values: KV,
    private readonly onChange: (change: BucketChange) => void,
  ) {}

  /** Resolves when the existing keys have been reported. @throws ClusterError UNAVAILABLE */
  async start(): Promise<void> {
    const { values: existing } = await this.values.status();
    const complete = this.replaceWatch(await this.values.watch());
    if (existing > 0 && !(await isInTime(complete))) {
      this.stop();
      throw new ClusterError('UNAVAILABLE', 'NATS did not report the keys of a bucket in time.');
    }
    this.checkLater(this.checkMs);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.changes?.stop();
  }

  /** Replaces the watch. Resolves when all existing keys have been reported. */
  private replaceWatch(changes: Changes): Promise<void> {
    this.changes?.stop();
    this.changes = changes;
    return new Promise((resolve) => void this.report(changes, resolve));
  }

  private async report(changes: Changes, onComplete: () => void): Promise<void> {
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

  private checkLater(afterMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      void this.check().then((nextMs) => this.checkLater(nextMs));
    }, afterMs);
    this.timer.unref();
  }

  /** Returns the time until the next check, in milliseconds. */
  private async check(): Promise<number> {
    try {
      if (this.reportedRevision < this.bucketRevision) await this.resume();
      const { reportedRevision } = this;
      this.bucketRevision = (await this.values.status()).streamInfo.state.last_seq;
      const isAhead = reportedRevision > this.bucketRevision;
      this.checkMs = isAhead ? Math.min(2 * this.checkMs, MAX_CHECK_MS) : CHECK_MS;
      if (isAhead || Date.now() - this.renewedAt >= RENEW_MS) await this.reportAll();
      return this.checkMs;
    } catch {
      // The bucket has no leader now, or the connection is lost.
      return RETRY_MS;
    }
  }

  /** Requests the changes since the last reported one. */
  private async resume(): Promise<void> {
    await this.open({ resumeFromRevision: this.reportedRevision + 1 });
  }

  /**
   * Reports all keys again with the revisions of the current leader. If the bucket has fewer revisions than were
   * reported, its copies differ because a server was killed (NATS 2.9 applies the last changes twice). The copies may
   * differ for a long time, so the next check is later.
   */
  private async reportAll(): Promise<void> {
    await this.open({}, true);
    this.renewedAt = Date.now();
  }

  /** Opens another watch. The former watch reports until then. @param isForAll true if the watch reports all keys */
  private async open(options: Parameters<KV['watch']>[0], isForAll = false): Promise<void> {
    const changes = await this.values.watch(options);
    if (this.isStopped) return changes.stop();
    if (isForAll) this.reportedRevision = 0;
    void this.replaceWatch(changes);
  }
}

async function isInTime(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), COMPLETE_MS);
  });
  const isDone = await Promise.race([work.then(() => true), isLate]);
  clearTimeout(timer);
  return isDone;
}
