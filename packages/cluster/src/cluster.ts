/** The reason why an operation on shared data failed. */
export type ClusterErrorCode =
  /** The key has another revision than expected, or already exists. */
  | 'CONFLICT'
  /** The cluster does not answer, because the connection is lost or most of the cluster is gone. */
  | 'UNAVAILABLE'
  /** The address has no receiver. */
  | 'NOBODY'
  /** The node at the address has refused. */
  | 'REFUSED'
  | 'CLOSED';

/** An error of a cluster. Messages are for humans, so programs should use the codes. */
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

/** The value of a key at one moment. */
export interface BucketEntry {
  readonly value: Uint8Array;
  /** Higher than the revision of every earlier change in the bucket. */
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
  /**
   * The age in milliseconds at which the engine may drop a value without a report. When absent, no value is dropped.
   */
  readonly forgetAfterMs?: number;
}

/** Keys and values that all nodes share. All nodes see the changes to a key in the same order. */
export interface Bucket {
  get(key: string): Promise<BucketEntry | undefined>;
  /** Resolves to the revision. @throws ClusterError CONFLICT for an existing key, UNAVAILABLE */
  create(key: string, value: Uint8Array): Promise<number>;
  /** Resolves to the new revision. @throws ClusterError CONFLICT for another revision, UNAVAILABLE */
  update(key: string, value: Uint8Array, revision: number): Promise<number>;
  /** @throws ClusterError CONFLICT for another revision, UNAVAILABLE */
  delete(key: string, revision: number): Promise<void>;
  /**
   * Reports existing and deleted keys, then each change, or only the last of several changes to a key. May report a key
   * again, and with a lower revision if the engine has lost a server. Continues after a lost connection. Resolves once
   * the existing keys have been reported, to the function that ends the watch.
   */
  watch(onChange: (change: BucketChange) => void): Promise<() => void>;
}

/** Receives the messages for an address. */
export interface Receiver {
  /** @param from the address of the sender. The data is valid until the function returns. */
  message(data: Uint8Array, from: string): void;
  /** Called when a message from this mailbox had no receiver. The message itself is not identified. */
  nobody(): void;
}

/** One address of this node. */
export interface Mailbox {
  /**
   * Sends a message to every mailbox of an address. The messages from one mailbox to another keep their order. A lost
   * message is not sent again.
   */
  send(to: string, data: Uint8Array): void;
  close(): void;
}

/**
 * The network and the storage that the nodes of a cluster share. The engine provides consensus, membership and queues,
 * so mcpmux implements none of these.
 */
export interface Cluster {
  /** The maximum length of a message, in bytes. */
  readonly maxMessageBytes: number;
  /** False while the connection is lost. */
  readonly isConnected: boolean;
  /** Calls the listener when the connection is lost or restored. Returns the function that removes the listener. */
  onConnection(listener: (isConnected: boolean) => void): () => void;
  /** Returns the bucket of that name, which is created if missing. Names: `[A-Za-z0-9_-]`, keys: `[A-Za-z0-9_=-]`. */
  bucket(name: string, options?: BucketOptions): Promise<Bucket>;
  mailbox(address: string, receiver: Receiver): Mailbox;
  /** Closes the connection once pending messages have been sent. */
  close(): Promise<void>;
}
