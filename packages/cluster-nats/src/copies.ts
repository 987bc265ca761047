import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { ClusterError } from '@mcpmux/cluster';

/** The minimum number of replicas with which a bucket survives the loss of a server. */
const SAFE_COPIES = 3;
/** JetStream's error codes for too many requested replicas: too few peers, too few resources, or a single server. */
const TOO_FEW_SERVERS_CODES = new Set([10_005, 10_023, 10_074]);
/** The initial and maximum delay before replicas are requested again if NATS has too few servers. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/**
 * Decides how many NATS servers store each bucket. The servers cannot be counted, because NATS may advertise no server
 * or several addresses of one server. Replicas are therefore requested, and NATS refuses if it has too few servers.
 */
export class BucketCopies {
  private readonly buckets = new Set<string>();
  private isRequested = false;
  private isRequesting = false;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param wanted the number of servers that must store each bucket; if absent, three, or one if NATS has fewer
   * @param serverList the servers, for error messages
   */
  constructor(
    private readonly manager: Pick<JetStreamManager, 'streams'>,
    private readonly wanted: number | undefined,
    private readonly serverList: string,
    private readonly isClosed: () => boolean,
  ) {}

  /**
   * Creates a bucket with the wanted number of replicas. If no number is configured and NATS has too few servers,
   * creates a single replica.
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

  /** Maintains the replicas of an existing bucket, because servers may start after the bucket was created. */
  addBucket(bucket: string): void {
    this.buckets.add(bucket);
    this.requestCopies();
  }

  /** Requests missing replicas of all buckets. Repeats the request while NATS has too few servers. */
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
   * Requests the missing replicas of a bucket. Servers that have started since its creation have no replica, so the
   * bucket would be lost with the other servers.
   */
  private async requestCopiesOf(bucket: string): Promise<void> {
    const { manager, wanted = SAFE_COPIES } = this;
    const stream = `KV_${bucket}`;
    const { config, cluster } = await manager.streams.info(stream);
    // A single server accepts any number, but creates no additional replicas.
    const isSingleServer = cluster === undefined;
    if (!isSingleServer && config.num_replicas < wanted)
      await manager.streams.update(stream, { num_replicas: wanted });
  }
}

/** True if JetStream rejected the requested number of replicas because it has too few servers. */
export function isTooFewServersError(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && TOO_FEW_SERVERS_CODES.has(error.code);
}
