import type { KV } from '@nats-io/kv';
import { ClusterError, type BucketChange } from '@mcpmux/cluster';

type Changes = Awaited<ReturnType<KV['watch']>>;

/** Maximum time for a watch to report the existing keys. */
const COMPLETE_MS = 3000;
/** Interval for comparing a watch with its bucket, initial and maximum. */
const CHECK_MS = 3000;
const MAX_CHECK_MS = 60_000;
/**
 * Pause before a check is repeated that no server has answered, because the remaining servers must first elect a
 * leader.
 */
const AGAIN_MS = 500;
/**
 * Interval at which all keys are reported again. A copy that is ahead of the leader may have fed the watch, which has
 * then reported higher revisions. If the leader passes these revisions before a check, the watch treats the changes
 * between them as already reported, and they are lost.
 */
const RENEW_MS = 300_000;

/**
 * Reports the changes to a bucket. One NATS server feeds a watch. If that server is lost, the NATS client notices after
 * a minute or more. This class compares the watch with the bucket, and continues with another watch after seconds.
 */
export class NatsWatch {
  /** The revision of the last reported change. */
  private reported = 0;
  /** The last revision of the bucket at the last check. */
  private known = 0;
  private changes: Changes | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkMs = CHECK_MS;
  /** The time when all keys were last requested, in milliseconds since 1970. */
  private renewedAt = Date.now();
  private isStopped = false;

  constructor(
    private readonly values: KV,
    private readonly onChange: (change: BucketChange) => void,
  ) {}

  /** Resolves once the existing keys have been reported. @throws ClusterError UNAVAILABLE */
  async start(): Promise<void> {
    const { values: existing } = await this.values.status();
    const complete = this.follow(await this.values.watch());
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

  /** Replaces the watch. Resolves once all existing keys have been reported. */
  private follow(changes: Changes): Promise<void> {
    this.changes?.stop();
    this.changes = changes;
    return new Promise((resolve) => void this.report(changes, resolve));
  }

  private async report(changes: Changes, onComplete: () => void): Promise<void> {
    for await (const entry of changes) {
      const { key, operation, value, revision, delta } = entry;
      // Another watch has taken over, and also reports this change.
      if (this.changes !== changes) return;
      if (revision > this.reported && !this.isStopped) {
        this.reported = revision;
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
      if (this.reported < this.known) await this.resume();
      const { reported } = this;
      this.known = (await this.values.status()).streamInfo.state.last_seq;
      const isAhead = reported > this.known;
      this.checkMs = isAhead ? Math.min(2 * this.checkMs, MAX_CHECK_MS) : CHECK_MS;
      if (isAhead || Date.now() - this.renewedAt >= RENEW_MS) await this.startAgain();
      return this.checkMs;
    } catch {
      // No server leads the bucket now, or the connection is lost, so nothing is known until the next check.
      return AGAIN_MS;
    }
  }

  /** Requests the changes that happened before the last check and were not reported. */
  private async resume(): Promise<void> {
    await this.open({ resumeFromRevision: this.reported + 1 });
  }

  /**
   * Reports all keys again, with the revisions of the current leader's copy. If the bucket has fewer revisions than
   * this class has reported, its copies differ, because a server has been killed (NATS 2.9 applies the last changes
   * twice). The copies may differ for a long time, so the next check is later.
   */
  private async startAgain(): Promise<void> {
    await this.open({}, true);
    this.renewedAt = Date.now();
  }

  /** @param isForAll true if the new watch reports all keys. The former watch reports until the new watch is open. */
  private async open(options: Parameters<KV['watch']>[0], isForAll = false): Promise<void> {
    const changes = await this.values.watch(options);
    if (this.isStopped) return changes.stop();
    if (isForAll) this.reported = 0;
    void this.follow(changes);
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
