import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import {
  bytes,
  changeWaiter,
  rejectsWith,
  pause,
  reachableMailbox,
  repeatUntil,
  text,
  type ClusterPromise,
} from './contract-tools.js';

const nothing = (): void => undefined;

/** The promises about connections that are lost, restored or closed. */
export const CONNECTION_PROMISES: readonly ClusterPromise[] = [
  {
    name: 'a connection that is lost and comes back is reported to those that listen',
    check: async ({ join, connect }) => {
      const one = await join();
      equal(one.isConnected, true);
      const reported: (readonly [boolean, boolean])[] = [];
      const states = changeWaiter<boolean>((state) => reported.push([state, one.isConnected]));
      const stop = one.onConnection(states.onChange);
      connect(one, false);
      await states.until(() => reported.length === 1);
      connect(one, true);
      await states.until(() => reported.length === 2);
      deepEqual(reported, [
        [false, false],
        [true, true],
      ]);
      stop();
      connect(one, false);
      await repeatUntil(nothing, () => !one.isConnected);
      connect(one, true);
      await repeatUntil(nothing, () => one.isConnected);
      equal(reported.length, 2);
    },
  },
  {
    name: 'what is asked of a bucket fails while the connection is lost, and is done when it is back',
    check: async ({ join, connect }) => {
      const one = await join();
      const bucket = await one.bucket('c');
      const [key, other] = [randomUUID(), randomUUID()];
      const revision = await bucket.create(key, bytes('1'));
      connect(one, false);
      await repeatUntil(nothing, () => !one.isConnected);
      await Promise.all([
        rejectsWith(bucket.get(key), 'UNAVAILABLE'),
        rejectsWith(bucket.update(key, bytes('2'), revision), 'UNAVAILABLE'),
        rejectsWith(bucket.create(other, bytes('2')), 'UNAVAILABLE'),
        rejectsWith(one.bucket('another'), 'UNAVAILABLE'),
      ]);
      connect(one, true);
      await repeatUntil(nothing, () => one.isConnected);
      await bucket.create(randomUUID(), bytes('3'));
    },
  },
  {
    name: 'a watch goes on after a lost connection, with the changes of that time',
    check: async ({ join, connect }) => {
      const [one, two] = [await join(), await join()];
      const [own, others] = [await one.bucket('c'), await two.bucket('c')];
      const [made, gone] = [randomUUID(), randomUUID()];
      const revision = await others.create(gone, bytes('1'));
      const reported = new Map<string, string | undefined>();
      const changes = changeWaiter((change) => reported.set(change.key, change.value && text(change.value)));
      const stop = await own.watch(changes.onChange);
      connect(one, false);
      await repeatUntil(nothing, () => !one.isConnected);
      await others.create(made, bytes('meanwhile'));
      await others.delete(gone, revision);
      equal(reported.has(made), false);
      connect(one, true);
      await changes.until(() => reported.get(made) === 'meanwhile' && reported.get(gone) === undefined);
      stop();
    },
  },
  {
    name: 'who sends to a node that is cut off learns it, and reaches the node when it is back',
    check: async ({ join, connect }) => {
      const [one, two] = [await join(), await join()];
      const address = randomUUID();
      let [received, missing] = [0, 0];
      two.mailbox(address, { message: () => (received += 1), nobody: nothing });
      await reachableMailbox(one, address, () => received > 0);
      const sender = one.mailbox(randomUUID(), { message: nothing, nobody: () => (missing += 1) });
      connect(two, false);
      await repeatUntil(
        () => sender.send(address, bytes('1')),
        () => missing > 0,
      );
      connect(two, true);
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
      const [one, two] = [await join(), await join()];
      const [address, own] = [randomUUID(), randomUUID()];
      const received: string[] = [];
      const mail = changeWaiter<string>((line) => received.push(line));
      let [states, missing] = [0, 0];
      two.mailbox(address, { message: (data) => mail.onChange(text(data)), nobody: nothing });
      const sender = await reachableMailbox(one, address, () => received.length > 0);
      one.mailbox(own, { message: nothing, nobody: nothing });
      one.onConnection(() => (states += 1));
      const bucket = await one.bucket('c');
      sender.send(address, bytes('the last'));
      await one.close();
      await mail.until(() => received.includes('the last'));
      sender.send(address, bytes('too late'));
      await rejectsWith(bucket.get('key'), 'UNAVAILABLE');
      await rejectsWith(one.bucket('c'), 'UNAVAILABLE');
      const other = two.mailbox(randomUUID(), { message: nothing, nobody: () => (missing += 1) });
      await repeatUntil(
        () => other.send(own, bytes('1')),
        () => missing > 0,
      );
      await one.close();
      await pause();
      deepEqual([states, received.includes('too late')], [0, false]);
    },
  },
];
