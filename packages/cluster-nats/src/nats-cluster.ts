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

import { BucketCopies } from './copies.js';
import { retryUntilReady, type RetryConditions } from './retry-until-ready.js';
import { waitAtMost } from './wait-at-most.js';
import { NatsBucket } from './nats-bucket.js';
import { isForbidden, natsFailure } from './nats-failure.js';
import { isRefusal } from './refusal.js';

/** Settings of a {@link NatsCluster}. */
export interface NatsClusterOptions {
  /** The name of the mcpmux cluster, which prefixes all subjects and bucket names. */
  readonly name: string;
  /** The servers' URLs without credentials, for error messages. */
  readonly serverList: string;
  /** The number of servers that store each bucket. Defaults to three, or to one if NATS has fewer. */
  readonly replicas?: number | undefined;
  /** If true, opens existing buckets only, and neither creates nor reconfigures any. */
  readonly isReader?: boolean | undefined;
  /** Called when the servers reject the credentials, at most once per lost connection. */
  readonly onRefused?: ((problem: string) => void) | undefined;
}

/** The JetStream API of a connection. */
export interface JetStreamApi {
  readonly buckets: Kvm;
  readonly manager: JetStreamManager;
}

/** NATS's status code for a published message that had no receiver. */
const NO_RESPONDERS_STATUS = 503;
/** The first characters of Go's zero time, which NATS sends as an unset timestamp. */
const GO_ZERO_TIME = '0001-';
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;
/** The number of bytes reserved for headers, because NATS counts them toward the maximum payload. */
const MAX_HEADER_BYTES = 1024;
/** How long closing may wait for the remaining messages to be sent, in milliseconds. */
const MAX_DRAIN_MS = 1000;

/** A cluster over one connection to NATS. */
export class NatsCluster implements Cluster {
  isConnected = true;
  private readonly listeners = new Set<(isConnected: boolean) => void>();
  private readonly copies: BucketCopies;
  private isRefused = false;
  /** Aborted when this connection is closed. */
  private readonly closeController = new AbortController();

  constructor(
    private readonly connection: NatsConnection,
    private readonly parts: JetStreamApi,
    private readonly options: NatsClusterOptions,
  ) {
    const { manager } = parts;
    const { replicas: wanted, serverList } = options;
    this.copies = new BucketCopies(manager, wanted, serverList, () => connection.isClosed());
    void this.watchStatus();
  }

  get maxMessageBytes(): number {
    return (this.connection.info?.max_payload ?? DEFAULT_MAX_PAYLOAD) - MAX_HEADER_BYTES;
  }

  onConnection(listener: (isConnected: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async bucket(name: string, { forgetAfterMs }: BucketOptions = {}): Promise<Bucket> {
    const { isReader = false, name: cluster } = this.options;
    const bucket = `${cluster}_${name}`;
    try {
      if (isReader) return await this.openExisting(bucket);
      const ttl = forgetAfterMs === undefined ? {} : { ttl: forgetAfterMs };
      // Direct reads may come from a replica that lags. Without them, only the leader answers.
      const settings = { history: 1, allow_direct: false, ...ttl };
      const createStore = (replicas: number): Promise<KV> =>
        this.parts.buckets.create(bucket, { replicas, ...settings });
      const store = await retryUntilReady(() => this.copies.createBucket(createStore), this.retryConditions);
      await this.whenStored(bucket, this.retryConditions);
      this.copies.addBucket(bucket);
      return new NatsBucket(store, this.closeController.signal, this.options.serverList);
    } catch (error) {
      throw natsFailure(error, this.options.serverList);
    }
  }

  mailbox(address: string, receiver: Receiver): Mailbox {
    const { connection, options } = this;
    const prefix = `${options.name}.`;
    const subject = prefix + address;
    const subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) deliverMessage(message, receiver, prefix);
      },
    });
    return {
      // NATS reports that a message had no receiver only if the message has a reply subject.
      send: (to, data) => {
        if (!connection.isClosed()) connection.publish(prefix + to, data, { reply: subject });
      },
      close: () => {
        if (!subscription.isClosed()) subscription.unsubscribe();
      },
    };
  }

  async close(): Promise<void> {
    this.closeController.abort();
    this.listeners.clear();
    this.copies.close();
    const { connection } = this;
    if (connection.isClosed()) return;
    // While disconnected, the client cannot send the remaining messages, so draining would only delay the close.
    if (this.isConnected) await waitAtMost(MAX_DRAIN_MS, connection.drain());
    await connection.close();
  }

  private get retryConditions(): Required<RetryConditions> {
    return {
      isPermanentError: (error) => !this.isConnected || isForbidden(error),
      endSignal: this.closeController.signal,
    };
  }

  /**
   * Waits until a bucket's store exists, and resolves with the bucket's settings. While another node creates a bucket,
   * NATS 2.9 to 2.9.10 reports it before its store exists, and crashes if the bucket is read too early.
   */
  private whenStored(bucket: string, retryConditions: RetryConditions): Promise<StreamInfo['config']> {
    const { manager } = this.parts;
    const readSettings = async (): Promise<StreamInfo['config']> => {
      const { created, config } = await manager.streams.info(`KV_${bucket}`);
      // Until the store exists, `created` is Go's zero time.
      if (created.startsWith(GO_ZERO_TIME)) throw new Error(`the bucket ${bucket} has no store yet`);
      return config;
    };
    return retryUntilReady(readSettings, retryConditions);
  }

  /** Opens a bucket without creating it. @throws ClusterError NOBODY if the bucket does not exist */
  private async openExisting(bucket: string): Promise<Bucket> {
    try {
      const { isPermanentError, endSignal } = this.retryConditions;
      const { allow_direct } = await this.whenStored(bucket, {
        isPermanentError: (error) => isStreamNotFound(error) || isPermanentError(error),
        endSignal,
      });
      const store = await this.parts.buckets.open(bucket, { allow_direct });
      return new NatsBucket(store, endSignal, this.options.serverList);
    } catch (error) {
      if (!isStreamNotFound(error)) throw error;
      const message = `No node has joined the cluster "${this.options.name}" of this NATS account yet.`;
      throw new ClusterError('NOBODY', message, { cause: error });
    }
  }

  private async watchStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') this.setConnected(false);
      if (status.type === 'reconnect') this.setConnected(true);
      if (status.type === 'reconnect' || status.type === 'update') this.copies.requestCopies();
      if (status.type === 'error' && isRefusal(status.error)) this.reportRefusal(status.error);
    }
  }

  /** Reports rejected credentials once until the next reconnect, because the client retries indefinitely. */
  private reportRefusal({ message }: Error): void {
    if (!this.isRefused) this.options.onRefused?.(message);
    this.isRefused = true;
  }

  private setConnected(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) this.isRefused = false;
    for (const listener of this.listeners) listener(isConnected);
  }
}

function isStreamNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

function deliverMessage(message: Msg, receiver: Receiver, prefix: string): void {
  if (message.headers?.code === NO_RESPONDERS_STATUS && message.data.length === 0) return receiver.nobody();
  receiver.message(message.data, message.reply?.slice(prefix.length) ?? '');
}
