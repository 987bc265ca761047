import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { ClusterError } from '@mcpmux/cluster';

/** The minimum number of copies that survives the loss of a server. */
const SAFE_COPIES = 3;
/** JetStream errors for more copies than it has servers: no peers, no resources, and a single server. */
const TOO_FEW_SERVERS = new Set([10_005, 10_023, 10_074]);
/** Pause before copies are requested again if NATS lacks servers for them, initial and maximum. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/**
 * Decides how many NATS servers keep each bucket. The number of servers cannot be counted, because NATS may advertise
 * no server at all, or several addresses of one server. Therefore copies are requested, and NATS refuses them if it
 * lacks servers.
 */
export class Copies {
  private readonly buckets = new Set<string>();
  private isAsked = false;
  private isSpreading = false;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param wanted number of servers that must keep each bucket; when absent, three, or one if NATS has fewer than three
   * @param where the servers, as error messages name them
   */
  constructor(
    private readonly manager: Pick<JetStreamManager, 'streams'>,
    private readonly wanted: number | undefined,
    private readonly where: string,
    private readonly isClosed: () => boolean,
  ) {}

  /**
   * Creates a bucket with the wanted number of copies. If no number is configured and NATS has too few servers, creates
   * it with one copy.
   *
   * @throws ClusterError UNAVAILABLE for a configured number that NATS has too few servers for
   */
  async create<Made>(make: (replicas: number) => Promise<Made>): Promise<Made> {
    const { wanted, where } = this;
    try {
      return await make(wanted ?? SAFE_COPIES);
    } catch (error) {
      if (!isTooFew(error)) throw error;
      if (wanted === undefined) return make(1);
      const message = `NATS at ${where} has too few servers for ${wanted} copies of each bucket: ${error.message}. Start more servers of NATS, or write a lower number in "replicas".`;
      throw new ClusterError('UNAVAILABLE', message, { cause: error });
    }
  }

  /** Maintains the copies of an existing bucket, because a server may start later than the bucket was created. */
  add(bucket: string): void {
    this.buckets.add(bucket);
    this.spread();
  }

  /** Requests the copies that buckets lack, now and again while NATS lacks servers for them. */
  spread(): void {
    this.pauseMs = FIRST_PAUSE_MS;
    this.isAsked = true;
    void this.spreadAll();
  }

  close(): void {
    this.buckets.clear();
    clearTimeout(this.timer);
  }

  private async spreadAll(): Promise<void> {
    if (this.isSpreading) return;
    this.isSpreading = true;
    clearTimeout(this.timer);
    let isLacking = false;
    while (this.isAsked) {
      this.isAsked = false;
      isLacking = false;
      for (const bucket of this.buckets)
        await this.spreadOne(bucket).catch(() => {
          isLacking = true;
        });
    }
    this.isSpreading = false;
    if (!isLacking || this.isClosed()) return;
    this.timer = setTimeout(() => {
      this.isAsked = true;
      void this.spreadAll();
    }, this.pauseMs).unref();
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }

  /**
   * Requests the missing copies of a bucket. A server that has started since the bucket was created has no copy, so the
   * bucket would be lost with the other servers.
   */
  private async spreadOne(bucket: string): Promise<void> {
    const { manager, wanted = SAFE_COPIES } = this;
    const stream = `KV_${bucket}`;
    const { config, cluster } = await manager.streams.info(stream);
    // A single server accepts any number, and creates no copies.
    const isAlone = cluster === undefined;
    if (!isAlone && config.num_replicas < wanted)
      await manager.streams.update(stream, { num_replicas: wanted });
  }
}

/** True if JetStream has too few servers for the requested copies. */
export function isTooFew(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && TOO_FEW_SERVERS.has(error.code);
}
