import type { JetStreamManager } from '@nats-io/jetstream';
import type { KV, Kvm } from '@nats-io/kv';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Bucket, BucketOptions, Cluster, Mailbox, Receiver } from '@mcpmux/core/cluster';

import { patiently } from './patiently.js';
import { natsFailure, NatsBucket } from './nats-bucket.js';
import { spread } from './spread.js';

/** Settings of a {@link NatsCluster}. */
export interface NatsClusterOptions {
  /** Begins the subjects and the names of the buckets. */
  readonly name: string;
  /** How many servers keep each bucket, for the servers that there are now. */
  readonly replicas: () => number;
}

/** JetStream of a connection. */
export interface JetStreamParts {
  readonly buckets: Kvm;
  readonly manager: JetStreamManager;
}

/** The status of a message that says that nobody received the one before. */
const NO_RESPONDERS = 503;
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;
/** What NATS counts in a message beside its data. */
const HEAD_BYTES = 1024;

/** A cluster over one connection to NATS. */
export class NatsCluster implements Cluster {
  isConnected = true;
  private readonly listeners = new Set<(isConnected: boolean) => void>();
  private readonly opened = new Set<string>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly parts: JetStreamParts,
    private readonly options: NatsClusterOptions,
  ) {
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
    const { replicas, name: cluster } = this.options;
    const bucket = `${cluster}_${name}`;
    const ttl = forgetAfterMs === undefined ? {} : { ttl: forgetAfterMs };
    try {
      const create = (): Promise<KV> =>
        // A server that keeps a copy may be behind: reads go to the leader.
        this.parts.buckets.create(bucket, { replicas: replicas(), history: 1, allow_direct: false, ...ttl });
      const values = await patiently(create, () => !this.isConnected);
      this.opened.add(bucket);
      void this.spread();
      return new NatsBucket(values);
    } catch (error) {
      throw natsFailure(error);
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
      // A sender without a reply subject is told nothing when nobody receives.
      send: (to, data) => {
        if (!connection.isClosed()) connection.publish(prefix + to, data, { reply: own });
      },
      close: () => {
        if (!subscription.isClosed()) subscription.unsubscribe();
      },
    };
  }

  async close(): Promise<void> {
    this.listeners.clear();
    if (this.connection.isClosed()) return;
    // A connection that is lost has nowhere to send the rest.
    if (this.isConnected) await this.connection.drain();
    else await this.connection.close();
  }

  private async follow(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.connected(false);
      if (type === 'reconnect') this.connected(true);
      if (type === 'update') void this.spread();
    }
  }

  /** A server that has just come takes copies some seconds later. */
  private async spread(): Promise<void> {
    const { manager } = this.parts;
    for (const bucket of this.opened) {
      const work = (): Promise<void> => spread(manager, bucket, this.options.replicas());
      // The next change of the servers is another occasion.
      await patiently(work, () => this.connection.isClosed()).catch(() => undefined);
    }
  }

  private connected(isConnected: boolean): void {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    for (const listener of this.listeners) listener(isConnected);
  }
}

function deliver(message: Msg, receiver: Receiver, prefix: string): void {
  if (message.headers?.code === NO_RESPONDERS && message.data.length === 0) return receiver.nobody();
  receiver.message(message.data, message.reply?.slice(prefix.length) ?? '');
}
