import { type Clock, systemClock } from '@mcpmux/kit';
import { MemoryBucket } from './memory-bucket.js';
import {
  ClusterError,
  type Bucket,
  type BucketOptions,
  type Cluster,
  type Mailbox,
  type Receiver,
} from './cluster.js';

/** Settings of a {@link MemoryNetwork}. */
export interface MemoryNetworkOptions {
  readonly maxMessageBytes?: number;
  /**
   * Schedules a delivery. If absent, deliveries run in microtasks.
   *
   * @param from the address of the sender, whose messages must stay in order; undefined for a change to a bucket
   */
  readonly later?: (deliver: () => void, from?: string) => void;
  /** Determines when values expire. If absent, the system clock is used. */
  readonly clock?: Pick<Clock, 'now'>;
}

const MAX_MESSAGE_BYTES = 1024 * 1024;

/** An in-memory network for clusters within a single process, for tests and simulations. */
export class MemoryNetwork {
  /** Counts deliveries, one for each recipient. */
  readonly delivered = { messages: 0, changes: 0 };
  readonly maxMessageBytes: number;
  readonly later: (deliver: () => void, from?: string) => void;
  readonly clock: Pick<Clock, 'now'>;
  private readonly receivers = new Map<string, Set<MemoryMailbox>>();
  private readonly buckets = new Map<string, MemoryBucket>();

  constructor({
    maxMessageBytes = MAX_MESSAGE_BYTES,
    later = queueMicrotask,
    clock = systemClock,
  }: MemoryNetworkOptions = {}) {
    this.maxMessageBytes = maxMessageBytes;
    this.clock = clock;
    this.later = later;
  }

  /** Connects a new node to the network. */
  join(): MemoryCluster {
    return new MemoryCluster(this);
  }

  bucket(name: string, { forgetAfterMs }: BucketOptions = {}): MemoryBucket {
    const bucket = this.buckets.get(name) ?? new MemoryBucket(this, forgetAfterMs);
    this.buckets.set(name, bucket);
    return bucket;
  }

  add(mailbox: MemoryMailbox): void {
    const addressMailboxes = this.receivers.get(mailbox.address) ?? new Set();
    this.receivers.set(mailbox.address, addressMailboxes.add(mailbox));
  }

  remove(mailbox: MemoryMailbox): void {
    const addressMailboxes = this.receivers.get(mailbox.address);
    addressMailboxes?.delete(mailbox);
    if (addressMailboxes?.size === 0) this.receivers.delete(mailbox.address);
  }

  carry(from: MemoryMailbox, to: string, data: Uint8Array): void {
    const copy = Uint8Array.from(data);
    this.later(() => {
      const recipients = [...(this.receivers.get(to) ?? [])].filter(({ isReachable }) => isReachable);
      if (recipients.length === 0) return from.nobody();
      this.delivered.messages += recipients.length;
      for (const mailbox of recipients) mailbox.message(copy, from.address);
    }, from.address);
  }
}

/** One node's connection to a {@link MemoryNetwork}. Tests can cut the connection. */
export class MemoryCluster implements Cluster {
  isConnected = true;
  private isClosed = false;
  private readonly listeners = new Set<(isConnected: boolean) => void>();
  private readonly mailboxes = new Set<MemoryMailbox>();

  constructor(readonly network: MemoryNetwork) {}

  get maxMessageBytes(): number {
    return this.network.maxMessageBytes;
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Cuts the connection as a network failure would, or restores it. Messages sent while it is cut are lost. */
  connect(isConnected: boolean): void {
    if (this.isClosed || isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    for (const listener of this.listeners) listener(isConnected);
  }

  bucket(name: string, options?: BucketOptions): Promise<Bucket> {
    return this.isConnected
      ? Promise.resolve(this.network.bucket(name, options).of(this))
      : Promise.reject(new ClusterError('UNAVAILABLE', 'The connection to the cluster is lost.'));
  }

  mailbox(address: string, receiver: Receiver): Mailbox {
    const mailbox = new MemoryMailbox(address, receiver, this, () => this.mailboxes.delete(mailbox));
    this.mailboxes.add(mailbox);
    this.network.add(mailbox);
    return mailbox;
  }

  close(): Promise<void> {
    for (const mailbox of this.mailboxes) mailbox.close();
    this.isConnected = false;
    this.isClosed = true;
    this.listeners.clear();
    return Promise.resolve();
  }
}

class MemoryMailbox implements Mailbox {
  private isClosed = false;

  constructor(
    readonly address: string,
    private readonly receiver: Receiver,
    private readonly cluster: MemoryCluster,
    private readonly onClosed: () => void,
  ) {}

  get isReachable(): boolean {
    return this.cluster.isConnected && !this.isClosed;
  }

  send(to: string, data: Uint8Array): void {
    if (this.isReachable) this.cluster.network.carry(this, to, data);
  }

  message(data: Uint8Array, from: string): void {
    this.receiver.message(data, from);
  }

  nobody(): void {
    if (this.isReachable) this.receiver.nobody();
  }

  close(): void {
    this.isClosed = true;
    this.cluster.network.remove(this);
    this.onClosed();
  }
}
