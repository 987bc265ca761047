import type { KV } from '@nats-io/kv';
import { ClusterError, type BucketChange } from '@mcpmux/core/cluster';

type Changes = Awaited<ReturnType<KV['watch']>>;

/** How long a watch may take to report the keys that exist. */
const COMPLETE_MS = 3000;
/** How often a watch is compared with its bucket. */
const CHECK_MS = 3000;

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
    this.checkLater();
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
      // Two watches may have reported the same change.
      if (revision > this.reported && !this.isStopped) {
        this.reported = revision;
        this.onChange({ key, value: operation === 'PUT' ? value : undefined, revision });
      }
      if (delta === 0) onComplete();
    }
  }

  private checkLater(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      void this.check().then(() => this.checkLater());
    }, CHECK_MS);
    this.timer.unref();
  }

  private async check(): Promise<void> {
    try {
      if (this.reported < this.known) await this.renew();
      this.known = (await this.values.status()).streamInfo.state.last_seq;
    } catch {
      // No server leads the bucket now, or the connection is lost: nothing is known until the next check.
    }
  }

  /** A change of the time before the last check has not come. */
  private async renew(): Promise<void> {
    const changes = await this.values.watch({ resumeFromRevision: this.reported + 1 });
    if (this.isStopped) changes.stop();
    else void this.follow(changes);
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
