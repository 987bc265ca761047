/** Why an operation on what nodes share was not done. */
export type ClusterErrorCode =
  /** The key has another revision than the one that was expected, or exists already. */
  | 'CONFLICT'
  /** Nothing answers: the connection is lost, or most of the cluster is gone. */
  | 'UNAVAILABLE'
  /** Nobody receives at the address. */
  | 'NOBODY'
  /** The node at the address has said no. */
  | 'REFUSED'
  | 'CLOSED';

/** An error of a cluster. Messages are for readers; switch on codes. */
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
  /** Higher than that of every earlier change in the bucket. */
  readonly revision: number;
}

/** A change of one key. */
export interface BucketChange {
  readonly key: string;
  /** Undefined: the key was deleted. */
  readonly value: Uint8Array | undefined;
  readonly revision: number;
}

/** Settings of a {@link Bucket}, for whoever makes it. */
export interface BucketOptions {
  /** The age, in milliseconds, at which the engine may forget a value without a word. No value is forgotten when absent. */
  readonly forgetAfterMs?: number;
}

/** Keys and values that all nodes share. The changes of one key have one order, the same for everybody. */
export interface Bucket {
  get(key: string): Promise<BucketEntry | undefined>;
  /** Resolves with the revision. @throws ClusterError CONFLICT for a key that exists, UNAVAILABLE */
  create(key: string, value: Uint8Array): Promise<number>;
  /** Resolves with the new revision. @throws ClusterError CONFLICT for another revision, UNAVAILABLE */
  update(key: string, value: Uint8Array, revision: number): Promise<number>;
  /** @throws ClusterError CONFLICT for another revision, UNAVAILABLE */
  delete(key: string, revision: number): Promise<void>;
  /**
   * Reports the keys that exist and those that were deleted, then each change, or the last of several changes of a key.
   * May report a key again, and with a lower revision when the engine has lost a server. Goes on after a lost connection. Resolves when the keys that exist were reported, with the function that ends it.
   */
  watch(onChange: (change: BucketChange) => void): Promise<() => void>;
}

/** Receives what is sent to an address. */
export interface Receiver {
  /** @param from the address of the sender. The data is valid until the function returns. */
  message(data: Uint8Array, from: string): void;
  /** Nobody received a message of this mailbox. Which one is not known. */
  nobody(): void;
}

/** One address of this node. */
export interface Mailbox {
  /**
   * Sends a message to every mailbox of an address. The messages of one mailbox to another keep their order. One that is
   * lost is not sent again.
   */
  send(to: string, data: Uint8Array): void;
  close(): void;
}

/**
 * The network and the memory that the nodes of a cluster share. The engine behind it has consensus, membership and
 * queues; mcpmux has none of its own.
 */
export interface Cluster {
  /** The longest message, in bytes. */
  readonly maxMessageBytes: number;
  /** False while the connection is lost. */
  readonly isConnected: boolean;
  /** Calls the listener when the connection is lost, and when it is back. Returns the function that ends it. */
  onConnection(listener: (isConnected: boolean) => void): () => void;
  /** The bucket of that name, made when it does not exist. Names are of `[A-Za-z0-9_-]`, keys of `[A-Za-z0-9_=-]`. */
  bucket(name: string, options?: BucketOptions): Promise<Bucket>;
  mailbox(address: string, receiver: Receiver): Mailbox;
  /** Ends the connection after what was sent has left. */
  close(): Promise<void>;
}
