/** The reason for the failure of a cluster operation. */
export type ClusterErrorCode =
  /** The key has an unexpected revision or already exists. */
  | 'CONFLICT'
  /** The cluster does not respond, because the connection is lost or most of the cluster is down. */
  | 'UNAVAILABLE'
  /** The address has no receiver. */
  | 'NOBODY'
  /** The node at the address has refused the request. */
  | 'REFUSED'
  | 'CLOSED';

/** An error from a cluster. Programs should check `code`, because the message is for humans. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';

  constructor(
    readonly code: ClusterErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A key's value and revision at the time of a read. */
export interface BucketEntry {
  readonly value: Uint8Array;
  /** A number that exceeds the revisions of all earlier changes in the bucket. */
  readonly revision: number;
}

/** A change to one key. */
export interface BucketChange {
  readonly key: string;
  /** Undefined if the key has been deleted. */
  readonly value: Uint8Array | undefined;
  readonly revision: number;
}

/** Settings for creating a {@link Bucket}. */
export interface BucketOptions {
  /** The age, in milliseconds, at which the engine may silently drop a value. If absent, values are never dropped. */
  readonly forgetAfterMs?: number;
}

/** Keys and values that all nodes share. Changes to a key are reported to all nodes in the same order. */
export interface Bucket {
  get(key: string): Promise<BucketEntry | undefined>;
  /**
   * Resolves with the revision.
   * @throws ClusterError CONFLICT if the key exists, or UNAVAILABLE
   */
  create(key: string, value: Uint8Array): Promise<number>;
  /**
   * Resolves with the new revision.
   * @throws ClusterError CONFLICT if the key's revision differs, or UNAVAILABLE
   */
  update(key: string, value: Uint8Array, revision: number): Promise<number>;
  /** @throws ClusterError CONFLICT if the key's revision differs, or UNAVAILABLE */
  delete(key: string, revision: number): Promise<void>;
  /**
   * Reports all keys, including deleted ones, and then each change. May report only the last of several changes to a
   * key, and may repeat a key, even with a lower revision if the engine has lost a server. Resumes after a lost
   * connection is restored. When all existing keys have been reported, resolves with a function that ends the watch.
   */
  watch(onChange: (change: BucketChange) => void): Promise<() => void>;
}

/** Receives the messages for an address. */
export interface Receiver {
  /**
   * @param data valid only until the method returns
   * @param from the address of the sender
   */
  message(data: Uint8Array, from: string): void;
  /** Called when a message that this mailbox has sent had no receiver. Does not identify the message. */
  nobody(): void;
}

/** An address at which this node receives messages and from which it sends them. */
export interface Mailbox {
  /** Sends a message to every mailbox at an address. Messages between two mailboxes stay in order, but may be lost. */
  send(to: string, data: Uint8Array): void;
  close(): void;
}

/** The network and storage that a cluster's nodes share, provided by an engine such as NATS. */
export interface Cluster {
  /** The maximum length of a message, in bytes. */
  readonly maxMessageBytes: number;
  /** False while the connection is lost. */
  readonly isConnected: boolean;
  /** Calls the listener when the connection is lost or restored. Returns a function that removes the listener. */
  onConnection(listener: (isConnected: boolean) => void): () => void;
  /** Opens a bucket or creates it. Names may contain `[A-Za-z0-9_-]`, and keys `[A-Za-z0-9_=-]`. */
  bucket(name: string, options?: BucketOptions): Promise<Bucket>;
  mailbox(address: string, receiver: Receiver): Mailbox;
  /** Closes the connection after sending pending messages. */
  close(): Promise<void>;
}
