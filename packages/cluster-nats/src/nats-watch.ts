import type { KV } from '@nats-io/kv';
import { ClusterError, type BucketChange } from '@mcpmux/cluster';

type Changes = Awaited<ReturnType<KV['watch']>>;

/** How long a watch may take to report the keys that exist. */
const COMPLETE_MS = 3000;
/** How often a watch is compared with its bucket, at first and at the least. */
const CHECK_MS = 3000;
const MAX_CHECK_MS = 60_000;
/** How soon a check is repeated that no server has answered: the servers that are left choose a leader first. */
const AGAIN_MS = 500;
/**
 * How often all keys are reported again. A watch that was fed from a copy ahead of the one that leads has reported higher
 * revisions; if the leader passes these revisions before a check, the changes between them count as reported and are lost.
 */
const RENEW_MS = 300_000;

/**
 * Reports the changes of a bucket. One server of NATS feeds a watch. When that server is gone, the client of NATS notices
 * after a minute or more; this class compares the watch with the bucket, and goes on with another watch after seconds.
 */
export class NatsWatch {
  /** The revision of the last change that was reported. */
  private reported = 0;
  /** The last revision of the bucket at the last check. */
  private known = 0;
  private changes: Changes | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkMs = CHECK_MS;
  /** When all keys were last asked for, in milliseconds since 1970. */
  private renewedAt = Date.now();
  private isStopped = false;

  constructor(
    private readonly values: KV,
    private readonly onChange: (change: BucketChange) => void,
  ) {}

  /** Resolves when the keys that exist were reported. @throws ClusterError UNAVAILABLE */
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

  /** Resolves when everything that existed was reported. */
  private follow(changes: Changes): Promise<void> {
    this.changes?.stop();
    this.changes = changes;
    return new Promise((resolve) => void this.report(changes, resolve));
  }

  private async report(changes: Changes, onComplete: () => void): Promise<void> {
    for await (const entry of changes) {
      const { key, operation, value, revision, delta } = entry;
      // Another watch has taken over, and reports this change, too.
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
      // No server leads the bucket now, or the connection is lost: nothing is known until the next check.
      return AGAIN_MS;
    }
  }

  /** A change of the time before the last check has not come. */
  private async resume(): Promise<void> {
    await this.open({ resumeFromRevision: this.reported + 1 });
  }

  /**
   * Reports all keys again, with the revisions of the copy that leads now. If the bucket has fewer revisions than this
   * class has reported, its copies differ, because a server was killed (NATS 2.9 applies the last changes twice). The
   * copies may differ for long, so that the next check comes later.
   */
  private async startAgain(): Promise<void> {
    await this.open({}, true);
    this.renewedAt = Date.now();
  }

  /** @param isForAll true if the new watch reports all keys. The former watch reports until the new one is there. */
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
