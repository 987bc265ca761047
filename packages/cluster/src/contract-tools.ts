import { rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { ClusterError, type BucketChange, type Cluster, type ClusterErrorCode } from './cluster.js';

/** The engine whose promises are checked. */
export interface ContractEngine {
  /** Opens a further connection to the same cluster. */
  readonly join: () => Promise<Cluster>;
  /** Cuts one of these connections as a network does, or lets it come back. */
  readonly connect: (cluster: Cluster, isConnected: boolean) => void;
}

/** One promise of every {@link Cluster}, with the check of it. */
export interface ClusterPromise {
  readonly name: string;
  /** Rejects when the promise is broken. */
  readonly check: (engine: ContractEngine) => Promise<void>;
}

/** The message by which a check finds out whether an address can be reached. */
export const PROBE = 'are you there';
const PAUSE_MS = 20;

/** The bytes of a text. */
export const bytes = (text: string): Uint8Array => Buffer.from(text);

/** The text of bytes. */
export const text = (data: Uint8Array | undefined): string => Buffer.from(data ?? []).toString();

/** Checks that work fails with a code. */
export const fails = (work: Promise<unknown>, code: ClusterErrorCode): Promise<void> =>
  rejects(work, (error) => error instanceof ClusterError && error.code === code);

/** Waits for changes. */
export function changeWaiter<Change = BucketChange>(note: (change: Change) => void) {
  let wake: () => void = () => undefined;
  return {
    onChange: (change: Change): void => {
      note(change);
      wake();
    },
    until: async (holds: () => boolean): Promise<void> => {
      while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

/** A mailbox from which the address is reached: a network needs a moment to learn of a new one. */
export async function reachable(cluster: Cluster, to: string, isReached: () => boolean) {
  const nothing = (): void => undefined;
  const mailbox = cluster.mailbox(randomUUID(), { message: nothing, nobody: nothing });
  await settled(() => mailbox.send(to, bytes(PROBE)), isReached);
  return mailbox;
}

/** Repeats an action until it has had its effect. */
export async function settled(act: () => void, holds: () => boolean): Promise<void> {
  while (!holds()) {
    act();
    await pause();
  }
}

/** Waits a moment. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });
}
