import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import {
  bytes,
  changeWaiter,
  assertRejectsWith,
  pause,
  reachableMailbox,
  repeatUntil,
  text,
  type ClusterPromise,
} from './contract-tools.js';

const doNothing = (): void => undefined;

/** The promises about connections that are lost, restored or closed. */
export const CONNECTION_PROMISES: readonly ClusterPromise[] = [
  {
    name: 'a connection that is lost and comes back is reported to those that listen',
    check: async ({ join, connect }) => {
      const firstCluster = await join();
      equal(firstCluster.isConnected, true);
      const reported: (readonly [boolean, boolean])[] = [];
      const states = changeWaiter<boolean>((state) => reported.push([state, firstCluster.isConnected]));
      const stop = firstCluster.onConnection(states.onChange);
      connect(firstCluster, false);
      await states.until(() => reported.length === 1);
      connect(firstCluster, true);
      await states.until(() => reported.length === 2);
      deepEqual(reported, [
        [false, false],
        [true, true],
      ]);
      stop();
      connect(firstCluster, false);
      await repeatUntil(doNothing, () => !firstCluster.isConnected);
      connect(firstCluster, true);
      await repeatUntil(doNothing, () => firstCluster.isConnected);
      equal(reported.length, 2);
    },
  },
  {
    name: 'what is asked of a bucket fails while the connection is lost, and is done when it is back',
    check: async ({ join, connect }) => {
      const firstCluster = await join();
      const bucket = await firstCluster.bucket('c');
      const [key, other] = [randomUUID(), randomUUID()];
      const revision = await bucket.create(key, bytes('1'));
      connect(firstCluster, false);
      await repeatUntil(doNothing, () => !firstCluster.isConnected);
      await Promise.all([
        assertRejectsWith(bucket.get(key), 'UNAVAILABLE'),
        assertRejectsWith(bucket.update(key, bytes('2'), revision), 'UNAVAILABLE'),
        assertRejectsWith(bucket.create(other, bytes('2')), 'UNAVAILABLE'),
        assertRejectsWith(firstCluster.bucket('another'), 'UNAVAILABLE'),
      ]);
      connect(firstCluster, true);
      await repeatUntil(doNothing, () => firstCluster.isConnected);
      await bucket.create(randomUUID(), bytes('3'));
    },
  },
  {
    name: 'a watch goes on after a lost connection, with the changes of that time',
    check: async ({ join, connect }) => {
      const [firstCluster, secondCluster] = [await join(), await join()];
      const [own, others] = [await firstCluster.bucket('c'), await secondCluster.bucket('c')];
      const [made, gone] = [randomUUID(), randomUUID()];
      const revision = await others.create(gone, bytes('1'));
      const reported = new Map<string, string | undefined>();
      const changes = changeWaiter((change) => reported.set(change.key, change.value && text(change.value)));
      const stop = await own.watch(changes.onChange);
      connect(firstCluster, false);
      await repeatUntil(doNothing, () => !firstCluster.isConnected);
      await others.create(made, bytes('meanwhile'));
      await others.delete(gone, revision);
      equal(reported.has(made), false);
      connect(firstCluster, true);
      await changes.until(() => reported.get(made) === 'meanwhile' && reported.get(gone) === undefined);
      stop();
    },
  },
  {
    name: 'who sends to a node that is cut off learns it, and reaches the node when it is back',
    check: async ({ join, connect }) => {
      const [firstCluster, secondCluster] = [await join(), await join()];
      const address = randomUUID();
      let [received, missing] = [0, 0];
      secondCluster.mailbox(address, { message: () => (received += 1), nobody: doNothing });
      await reachableMailbox(firstCluster, address, () => received > 0);
      const sender = firstCluster.mailbox(randomUUID(), { message: doNothing, nobody: () => (missing += 1) });
      connect(secondCluster, false);
      await repeatUntil(
        () => sender.send(address, bytes('1')),
        () => missing > 0,
      );
      connect(secondCluster, true);
      const countBefore = received;
      await repeatUntil(
        () => sender.send(address, bytes('2')),
        () => received > countBefore,
      );
    },
  },
  {
    name: 'a connection that is closed has sent what was sent before, and has no mailbox, bucket or listener left',
    check: async ({ join }) => {
      const [firstCluster, secondCluster] = [await join(), await join()];
      const [address, own] = [randomUUID(), randomUUID()];
      const received: string[] = [];
      const mailWaiter = changeWaiter<string>((line) => received.push(line));
      let [states, missing] = [0, 0];
      secondCluster.mailbox(address, {
        message: (data) => mailWaiter.onChange(text(data)),
        nobody: doNothing,
      });
      const sender = await reachableMailbox(firstCluster, address, () => received.length > 0);
      firstCluster.mailbox(own, { message: doNothing, nobody: doNothing });
      firstCluster.onConnection(() => (states += 1));
      const bucket = await firstCluster.bucket('c');
      sender.send(address, bytes('the last'));
      await firstCluster.close();
      await mailWaiter.until(() => received.includes('the last'));
      sender.send(address, bytes('too late'));
      await assertRejectsWith(bucket.get('key'), 'UNAVAILABLE');
      await assertRejectsWith(firstCluster.bucket('c'), 'UNAVAILABLE');
      const other = secondCluster.mailbox(randomUUID(), { message: doNothing, nobody: () => (missing += 1) });
      await repeatUntil(
        () => other.send(own, bytes('1')),
        () => missing > 0,
      );
      await firstCluster.close();
      await pause();
      deepEqual([states, received.includes('too late')], [0, false]);
    },
  },
];
