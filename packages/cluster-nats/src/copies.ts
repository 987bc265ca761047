import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { ClusterError } from '@mcpmux/cluster';

/** The smallest number of replicas with which a bucket survives the loss of one server. */
const SAFE_COPIES = 3;
/** JetStream's error codes for too many requested replicas: too few peers, too few resources, or a single server. */
const TOO_FEW_SERVERS_CODES = new Set([10_005, 10_023, 10_074]);
/** The initial and the maximum delay before missing replicas are requested again. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/**
 * Requests the replicas of each bucket. The NATS servers cannot be counted first, because they may advertise no address
 * or several addresses per server. Instead, NATS rejects a request for which it has too few servers.
 */
export class BucketCopies {
  private readonly buckets = new Set<string>();
  private isRequested = false;
  private isRequesting = false;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param wanted the number of replicas of each bucket; defaults to three, or to one while NATS has too few servers
   * @param serverList the servers' URLs without credentials, for error messages
   */
  constructor(
    private readonly manager: Pick<JetStreamManager, 'streams'>,
    private readonly wanted: number | undefined,
    private readonly serverList: string,
    private readonly isClosed: () => boolean,
  ) {}

  /**
   * Creates a bucket with the configured number of replicas. If no number is configured, requests three replicas, and
   * creates a single one if NATS has too few servers.
   *
   * @throws ClusterError UNAVAILABLE if NATS has too few servers for the configured number
   */
  async createBucket<Made>(make: (replicas: number) => Promise<Made>): Promise<Made> {
    const { wanted, serverList } = this;
    try {
      return await make(wanted ?? SAFE_COPIES);
    } catch (error) {
      if (!isTooFewServersError(error)) throw error;
      if (wanted === undefined) return make(1);
      const message = `NATS at ${serverList} has too few servers for ${wanted} copies of each bucket: ${error.message}. Start more servers of NATS, or write a lower number in "replicas".`;
      throw new ClusterError('UNAVAILABLE', message, { cause: error });
    }
  }

  /** Requests missing replicas of this bucket from now on, because more NATS servers may start later. */
  addBucket(bucket: string): void {
    this.buckets.add(bucket);
    this.requestCopies();
  }

  /** Requests the missing replicas of all buckets, and retries until every request succeeds. */
  requestCopies(): void {
    this.pauseMs = FIRST_PAUSE_MS;
    this.isRequested = true;
    void this.requestAllCopies();
  }

  close(): void {
    this.buckets.clear();
    clearTimeout(this.timer);
  }

  private async requestAllCopies(): Promise<void> {
    if (this.isRequesting) return;
    this.isRequesting = true;
    clearTimeout(this.timer);
    let lacksCopies = false;
    while (this.isRequested) {
      this.isRequested = false;
      lacksCopies = false;
      for (const bucket of this.buckets)
        await this.requestCopiesOf(bucket).catch(() => {
          lacksCopies = true;
        });
    }
    this.isRequesting = false;
    if (!lacksCopies || this.isClosed()) return;
    this.timer = setTimeout(() => {
      this.isRequested = true;
      void this.requestAllCopies();
    }, this.pauseMs).unref();
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }

  /**
   * Requests a bucket's missing replicas. Until then, servers that started after the bucket was created do not store
   * it, so it would be lost with the original servers.
   */
  private async requestCopiesOf(bucket: string): Promise<void> {
    const { manager, wanted = SAFE_COPIES } = this;
    const stream = `KV_${bucket}`;
    const { config, cluster } = await manager.streams.info(stream);
    // A server outside a JetStream cluster accepts the update, but adds no replica.
    const isSingleServer = cluster === undefined;
    if (!isSingleServer && config.num_replicas < wanted)
      await manager.streams.update(stream, { num_replicas: wanted });
  }
}

/** True if JetStream rejected the requested number of replicas because it has too few servers. */
export function isTooFewServersError(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && TOO_FEW_SERVERS_CODES.has(error.code);
}
