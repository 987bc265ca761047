import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { CONNECTION_PROMISES } from './contract-connections.js';
import {
  bytes,
  changeWaiter,
  assertRejectsWith,
  pause,
  PROBE_MESSAGE,
  reachableMailbox,
  repeatUntil,
  text,
} from './contract-tools.js';
import type { ClusterPromise } from './contract-tools.js';

export type { ClusterPromise, ContractEngine } from './contract-tools.js';

/** The time after which values of a test bucket expire, in milliseconds. */
const EXPIRY_MS = 500;

const BUCKET_PROMISES: readonly ClusterPromise[] = [
  {
    name: 'a key is created once',
    check: async ({ join }) => {
      const [one, other] = [await (await join()).bucket('b'), await (await join()).bucket('b')];
      const key = randomUUID();
      const revision = await one.create(key, bytes('1'));
      await assertRejectsWith(other.create(key, bytes('2')), 'CONFLICT');
      deepEqual({ ...(await other.get(key)), value: '1' }, { value: '1', revision });
    },
  },
  {
    name: 'of several updates of one revision, one wins',
    check: async ({ join }) => {
      const buckets = await Promise.all([1, 2, 3].map(async () => (await join()).bucket('b')));
      const key = randomUUID();
      const revision = (await buckets[0]?.create(key, bytes('0'))) ?? 0;
      const updates = buckets.map((bucket, index) => bucket.update(key, bytes(String(index)), revision));
      const fulfilledUpdates = (await Promise.allSettled(updates)).filter(
        ({ status }) => status === 'fulfilled',
      );
      equal(fulfilledUpdates.length, 1);
    },
  },
  {
    name: 'revisions grow, also when a key was deleted between',
    check: async ({ join }) => {
      const bucket = await (await join()).bucket('b');
      const key = randomUUID();
      const createdRevision = await bucket.create(key, bytes('1'));
      const updatedRevision = await bucket.update(key, bytes('2'), createdRevision);
      await assertRejectsWith(bucket.delete(key, createdRevision), 'CONFLICT');
      await bucket.delete(key, updatedRevision);
      equal(await bucket.get(key), undefined);
      const recreatedRevision = await bucket.create(key, bytes('3'));
      ok(createdRevision < updatedRevision && updatedRevision < recreatedRevision);
    },
  },
  {
    name: 'a watch reports what exists and was deleted, then each change, for every node',
    check: async ({ join }) => {
      const [one, other] = [await (await join()).bucket('w'), await (await join()).bucket('w')];
      const [kept, made, gone] = [randomUUID(), randomUUID(), randomUUID()];
      await one.create(kept, bytes('before'));
      await one.delete(gone, await one.create(gone, bytes('short')));
      const values = new Map<string, string | undefined>();
      const changes = changeWaiter((change) => values.set(change.key, change.value && text(change.value)));
      const stop = await other.watch(changes.onChange);
      equal(values.get(kept), 'before');
      equal(values.has(gone) && values.get(gone), undefined);
      const revision = await one.create(made, bytes('after'));
      await changes.until(() => values.get(made) === 'after');
      await one.delete(made, revision);
      await changes.until(() => values.has(made) && values.get(made) === undefined);
      stop();
    },
  },
  {
    name: 'what was written long ago is forgotten, and what is written again stays',
    check: async ({ join }) => {
      const [one, other] = await Promise.all(
        [1, 2].map(async () => (await join()).bucket('f', { forgetAfterMs: EXPIRY_MS })),
      );
      if (one === undefined || other === undefined) return;
      const [old, kept] = [randomUUID(), randomUUID()];
      await one.create(old, bytes('1'));
      let revision = await one.create(kept, bytes('1'));
      while ((await other.get(old)) !== undefined) {
        revision = await one.update(kept, bytes('1'), revision);
        await pause();
      }
      equal(text((await other.get(kept))?.value), '1');
      const values = new Map<string, Uint8Array | undefined>();
      const stop = await other.watch(({ key, value }) => values.set(key, value));
      deepEqual([values.get(old), text(values.get(kept))], [undefined, '1']);
      stop();
      ok((await other.create(old, bytes('2'))) > revision);
    },
  },
];

const MAILBOX_PROMISES: readonly ClusterPromise[] = [
  {
    name: 'a message reaches every mailbox of its address, with the address of its sender',
    check: async ({ join }) => {
      const [one, two, three] = [await join(), await join(), await join()];
      const address = randomUUID();
      const received: string[] = [];
      const changes = changeWaiter<string>((line) => received.push(line));
      const message = (data: Uint8Array, from: string): void => changes.onChange(`${from} ${text(data)}`);
      for (const cluster of [two, three]) cluster.mailbox(address, { message, nobody: () => undefined });
      const mailbox = await reachableMailbox(one, address, () => received.length >= 2);
      mailbox.send(address, bytes('hello'));
      await changes.until(() => received.filter((line) => line.endsWith(' hello')).length === 2);
    },
  },
  {
    name: 'messages of one mailbox keep their order',
    check: async ({ join }) => {
      const [one, two] = [await join(), await join()];
      const address = randomUUID();
      const received: string[] = [];
      const changes = changeWaiter<string>((line) => received.push(line));
      const message = (data: Uint8Array): void => changes.onChange(text(data));
      two.mailbox(address, { message, nobody: () => undefined });
      const sender = await reachableMailbox(one, address, () => received.length > 0);
      const sentLines = Array.from({ length: 1000 }, (_, index) => String(index));
      for (const line of sentLines) sender.send(address, bytes(line));
      const receivedLines = (): readonly string[] => received.filter((line) => line !== PROBE_MESSAGE);
      await changes.until(() => receivedLines().length >= sentLines.length);
      deepEqual(receivedLines(), sentLines);
    },
  },
  {
    name: 'the longest message arrives whole',
    check: async ({ join }) => {
      const [one, two] = [await join(), await join()];
      const address = randomUUID();
      let length = 0;
      const changes = changeWaiter<number>((size) => (length = Math.max(length, size)));
      two.mailbox(address, { message: (data) => changes.onChange(data.length), nobody: () => undefined });
      const sender = await reachableMailbox(one, address, () => length > 0);
      sender.send(address, new Uint8Array(one.maxMessageBytes));
      await changes.until(() => length === one.maxMessageBytes);
    },
  },
  {
    name: 'who sends to an address without a mailbox learns it at once',
    check: async ({ join }) => {
      const [one, two] = [await join(), await join()];
      const address = randomUUID();
      let missing = 0;
      const changes = changeWaiter<number>((more) => (missing += more));
      const nobody = (): void => changes.onChange(1);
      const sender = one.mailbox(randomUUID(), { message: () => undefined, nobody });
      const startedAt = performance.now();
      sender.send(address, bytes('1'));
      await changes.until(() => missing === 1);
      ok(performance.now() - startedAt < 1000);
      // A closed mailbox must not count as a receiver either.
      two.mailbox(address, { message: () => undefined, nobody: () => undefined }).close();
      await repeatUntil(
        () => sender.send(address, bytes('2')),
        () => missing > 1,
      );
    },
  },
];

/** The promises that every {@link Cluster} must keep. An engine is suitable for mcpmux if all checks resolve. */
export const CLUSTER_CONTRACT: readonly ClusterPromise[] = [
  ...BUCKET_PROMISES,
  ...MAILBOX_PROMISES,
  ...CONNECTION_PROMISES,
];
