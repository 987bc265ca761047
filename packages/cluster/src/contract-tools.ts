import { rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { ClusterError, type BucketChange, type Cluster, type ClusterErrorCode } from './cluster.js';

/** The engine under test. */
export interface ContractEngine {
  /** Opens another connection to the same cluster. */
  readonly join: () => Promise<Cluster>;
  /** Cuts a connection as a network failure would, or restores it. */
  readonly connect: (cluster: Cluster, isConnected: boolean) => void;
}

/** A promise that every {@link Cluster} must keep, with its check. */
export interface ClusterPromise {
  readonly name: string;
  /** Rejects if the engine breaks the promise. */
  readonly check: (engine: ContractEngine) => Promise<void>;
}

/** The message that tests whether an address is reachable. */
export const PROBE_MESSAGE = 'are you there';
const PAUSE_MS = 20;

/** Encodes a string as UTF-8. */
export const bytes = (text: string): Uint8Array => Buffer.from(text);

/** Decodes UTF-8. Returns an empty string for undefined. */
export const text = (data: Uint8Array | undefined): string => Buffer.from(data ?? []).toString();

/** Rejects unless the operation fails with this code. */
export const assertRejectsWith = (work: Promise<unknown>, code: ClusterErrorCode): Promise<void> =>
  rejects(work, (error) => error instanceof ClusterError && error.code === code);

/** Returns a change listener, and a function that waits until a condition holds and checks it after each change. */
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

/** Resolves with a mailbox when its messages reach the address, because the network may learn of an address late. */
export async function reachableMailbox(cluster: Cluster, to: string, isReached: () => boolean) {
  const nothing = (): void => undefined;
  const mailbox = cluster.mailbox(randomUUID(), { message: nothing, nobody: nothing });
  await repeatUntil(() => mailbox.send(to, bytes(PROBE_MESSAGE)), isReached);
  return mailbox;
}

/** Repeats an action until a condition holds. */
export async function repeatUntil(act: () => void, holds: () => boolean): Promise<void> {
  while (!holds()) {
    act();
    await pause();
  }
}

/** Waits between two attempts. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });
}
