import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { ClusterError } from '@mcpmux/cluster';

/** This many copies survive the loss of a server. */
const SAFE_COPIES = 3;
/** Errors of JetStream for more copies than it has servers: no peers, no resources, and a server that is alone. */
const TOO_FEW_SERVERS = new Set([10_005, 10_023, 10_074]);
/** After which time copies are asked for again that NATS has no servers for, at first and at the most. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** The dependencies of {@link Copies}. */
export interface CopiesParts {
  readonly manager: Pick<JetStreamManager, 'streams'>;
  /** How many servers are to keep each bucket. When absent: three, or one where NATS has fewer than three servers. */
  readonly wanted: number | undefined;
  /** The servers, as errors show them. */
  readonly where: string;
  readonly isClosed: () => boolean;
}

/**
 * How many servers of NATS keep each bucket. No count of the servers tells this: NATS may advertise no server at all, or
 * several addresses of one. NATS itself refuses copies that it has no servers for.
 */
export class Copies {
  private readonly buckets = new Set<string>();
  private isAsked = false;
  private isSpreading = false;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: CopiesParts) {}

  /**
   * Makes a bucket with the copies that are wanted, or with one where nobody wants a number and NATS has too few servers.
   *
   * @throws ClusterError UNAVAILABLE for a number that NATS has too few servers for
   */
  async create<Made>(make: (replicas: number) => Promise<Made>): Promise<Made> {
    const { wanted, where } = this.parts;
    try {
      return await make(wanted ?? SAFE_COPIES);
    } catch (error) {
      if (!isTooFew(error)) throw error;
      if (wanted === undefined) return make(1);
      const message = `NATS at ${where} has too few servers for ${wanted} copies of each bucket: ${error.message}. Start more servers of NATS, or write a lower number in "replicas".`;
      throw new ClusterError('UNAVAILABLE', message, { cause: error });
    }
  }

  /** Watches over the copies of a bucket that exists: a server may come later than the bucket. */
  add(bucket: string): void {
    this.buckets.add(bucket);
    this.spread();
  }

  /** Has NATS make the copies that buckets lack: now, and again while it has no servers for them. */
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
    if (!isLacking || this.parts.isClosed()) return;
    this.timer = setTimeout(() => {
      this.isAsked = true;
      void this.spreadAll();
    }, this.pauseMs).unref();
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }

  /** A server that was not there when the bucket was made keeps nothing of it, and the bucket is lost with the others. */
  private async spreadOne(bucket: string): Promise<void> {
    const { manager, wanted = SAFE_COPIES } = this.parts;
    const stream = `KV_${bucket}`;
    const { config, cluster } = await manager.streams.info(stream);
    // A server that is alone accepts any number, and makes no copies.
    const isAlone = cluster === undefined;
    if (!isAlone && config.num_replicas < wanted)
      await manager.streams.update(stream, { num_replicas: wanted });
  }
}

/** True if JetStream has too few servers for the copies that were asked for. */
export function isTooFew(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && TOO_FEW_SERVERS.has(error.code);
}
