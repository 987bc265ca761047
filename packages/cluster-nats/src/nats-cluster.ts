import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { KV, Kvm } from '@nats-io/kv';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import {
  ClusterError,
  type Bucket,
  type BucketOptions,
  type Cluster,
  type Mailbox,
  type Receiver,
} from '@mcpmux/cluster';

import { Copies } from './copies.js';
import { patiently, type PatienceParts } from './patiently.js';
import { within } from './within.js';
import { NatsBucket } from './nats-bucket.js';
import { isForbidden, natsFailure } from './nats-failure.js';
import { isRefusal } from './refusal.js';

/** Settings of a {@link NatsCluster}. */
export interface NatsClusterOptions {
  /** Prefix of the subjects and of the bucket names. */
  readonly name: string;
  /** The servers, as error messages name them. */
  readonly where: string;
  /** Number of servers that keep each bucket. When absent, a safe number. */
  readonly replicas?: number | undefined;
  /** True if buckets are neither created nor changed. */
  readonly isReader?: boolean | undefined;
  /** Called when the servers refuse the credentials, once for each loss of the connection. */
  readonly onRefused?: ((problem: string) => void) | undefined;
}

/** The JetStream API of a connection. */
export interface JetStreamParts {
  readonly buckets: Kvm;
  readonly manager: JetStreamManager;
}

/** The status of a message that reports that the previous message had no receiver. */
const NO_RESPONDERS = 503;
/** The beginning of a time in Go that was never set. */
const NEVER = '0001-';
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;
/** The bytes that NATS counts in a message in addition to its data. */
const HEAD_BYTES = 1024;
/** Maximum time for a server to receive the remaining messages at the end, because a server that hangs never does. */
const DRAIN_MS = 1000;

/** A cluster over one connection to NATS. */
export class NatsCluster implements Cluster {
  isConnected = true;
  private readonly listeners = new Set<(isConnected: boolean) => void>();
  private readonly copies: Copies;
  private isRefused = false;
  /** Aborted when this connection is closed. */
  private readonly ending = new AbortController();

  constructor(
    private readonly connection: NatsConnection,
    private readonly parts: JetStreamParts,
    private readonly options: NatsClusterOptions,
  ) {
    const { manager } = parts;
    const { replicas: wanted, where } = options;
    this.copies = new Copies(manager, wanted, where, () => connection.isClosed());
    void this.follow();
  }

  get maxMessageBytes(): number {
    return (this.connection.info?.max_payload ?? DEFAULT_MAX_PAYLOAD) - HEAD_BYTES;
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async bucket(name: string, { forgetAfterMs }: BucketOptions = {}): Promise<Bucket> {
    const { isReader = false, name: cluster } = this.options;
    const bucket = `${cluster}_${name}`;
    try {
      if (isReader) return await this.existing(bucket);
      const ttl = forgetAfterMs === undefined ? {} : { ttl: forgetAfterMs };
      // A server that keeps a copy may lag, so reads go to the leader.
      const settings = { history: 1, allow_direct: false, ...ttl };
      const make = (replicas: number): Promise<KV> =>
        this.parts.buckets.create(bucket, { replicas, ...settings });
      const values = await patiently(() => this.copies.create(make), this.patience);
      await this.stored(bucket, this.patience);
      this.copies.add(bucket);
      return new NatsBucket(values, this.ending.signal, this.options.where);
    } catch (error) {
      throw natsFailure(error, this.options.where);
    }
  }

  mailbox(address: string, receiver: Receiver): Mailbox {
    const { connection, options } = this;
    const prefix = `${options.name}.`;
    const own = prefix + address;
    const subscription = connection.subscribe(own, {
      callback: (error, message) => {
        if (error === null) deliver(message, receiver, prefix);
      },
    });
    return {
      // A sender without a reply subject would not learn that there is no receiver.
      send: (to, data) => {
        if (!connection.isClosed()) connection.publish(prefix + to, data, { reply: own });
      },
      close: () => {
        if (!subscription.isClosed()) subscription.unsubscribe();
      },
    };
  }

  async close(): Promise<void> {
    this.ending.abort();
    this.listeners.clear();
    this.copies.close();
    const { connection } = this;
    if (connection.isClosed()) return;
    // On a lost connection, the remaining messages cannot be sent.
    if (this.isConnected) await within(DRAIN_MS, connection.drain());
    await connection.close();
  }

  private get patience(): Required<PatienceParts> {
    return { isHopeless: (error) => !this.isConnected || isForbidden(error), ended: this.ending.signal };
  }

  /**
   * Resolves when the server has the store of a bucket, with its settings. While another node creates a bucket, a
   * server of 2.9 to 2.9.10 reports the bucket before its store exists, and crashes if the bucket is then read.
   */
  private stored(bucket: string, patience: PatienceParts): Promise<StreamInfo['config']> {
    const { manager } = this.parts;
    const ask = async (): Promise<StreamInfo['config']> => {
      const { created, config } = await manager.streams.info(`KV_${bucket}`);
      // The time is set with the store. Before, it is Go's zero time.
      if (created.startsWith(NEVER)) throw new Error(`the bucket ${bucket} has no store yet`);
      return config;
    };
    return patiently(ask, patience);
  }

  /** Opens an existing bucket, for a program that creates none. */
  private async existing(bucket: string): Promise<Bucket> {
    try {
      const { isHopeless, ended } = this.patience;
      const { allow_direct } = await this.stored(bucket, {
        isHopeless: (error) => isAbsent(error) || isHopeless(error),
        ended,
      });
      const values = await this.parts.buckets.open(bucket, { allow_direct });
      return new NatsBucket(values, ended, this.options.where);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      const message = `No node has joined the cluster "${this.options.name}" of this NATS account yet.`;
      throw new ClusterError('NOBODY', message, { cause: error });
    }
  }

  private async follow(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') this.connected(false);
      if (status.type === 'reconnect') this.connected(true);
      if (status.type === 'reconnect' || status.type === 'update') this.copies.spread();
      if (status.type === 'error' && isRefusal(status.error)) this.refused(status.error);
    }
  }

  /**
   * Reports refused credentials. The client retries without limit, because the operator may provide other credentials.
   */
  private refused({ message }: Error): void {
    if (!this.isRefused) this.options.onRefused?.(message);
    this.isRefused = true;
  }

  private connected(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) this.isRefused = false;
    for (const listener of this.listeners) listener(isConnected);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

function deliver(message: Msg, receiver: Receiver, prefix: string): void {
  if (message.headers?.code === NO_RESPONDERS && message.data.length === 0) return receiver.nobody();
  receiver.message(message.data, message.reply?.slice(prefix.length) ?? '');
}
