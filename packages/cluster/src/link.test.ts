import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { describe, expect, it } from 'vitest';

import type { Cluster, Mailbox, Receiver } from './cluster.js';
import type { ClusterLink } from './link.js';
import { Links } from './links.js';
import { MemoryNetwork } from './memory-network.js';

/** A connection that loses the messages that a test names. */
function lossy(cluster: Cluster, isLost: (count: number) => boolean): Cluster {
  let count = 0;
  return {
    maxMessageBytes: cluster.maxMessageBytes,
    isConnected: true,
    onConnection: (listener) => cluster.onConnection(listener),
    bucket: (name) => cluster.bucket(name),
    close: () => cluster.close(),
    mailbox: (address: string, receiver: Receiver): Mailbox => {
      const mailbox = cluster.mailbox(address, receiver);
      return {
        send: (to, data) => {
          count += 1;
          if (!isLost(count)) mailbox.send(to, data);
        },
        close: () => mailbox.close(),
      };
    },
  };
}

/** A link between two nodes. */
async function linked(isLost: (count: number) => boolean = () => false, maxMessageBytes = 1024 * 1024) {
  const clock = new ManualClock();
  const state = { isSilent: false };
  const later = (deliver: () => void): void => queueMicrotask(() => state.isSilent || deliver());
  const network = new MemoryNetwork({ maxMessageBytes, later });
  let remote: ClusterLink | undefined;
  const serve = () => (link: ClusterLink) => void (remote = link);
  const there = new Links({ cluster: network.join(), clock, node: 'b', serve });
  const here = new Links({ cluster: lossy(network.join(), isLost), clock, node: 'a', serve });
  const near = await here.open('b', { node: 'a' });
  if (remote === undefined) throw new Error('it was not served');
  return { near, remote, clock, network, here, there, state };
}

async function textOf(link: ClusterLink): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of link) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Lets time pass, and messages arrive in the meantime. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (const until = clock.now() + ms; clock.now() < until;) {
    clock.advance(Math.min(1000, until - clock.now()));
    for (let turns = 0; turns < 8; turns += 1) await Promise.resolve();
  }
  await nextTurn();
}

describe('a link between two nodes', () => {
  it('carries bytes in both directions, and ends in order', async () => {
    const { near, remote, here, there } = await linked();
    const [atFar, atNear] = [textOf(remote), textOf(near)];
    near.end('to the far end');
    remote.end('and back');
    await expect(Promise.all([atFar, atNear])).resolves.toEqual(['to the far end', 'and back']);
    await nextTurn();
    expect([here.size, there.size]).toEqual([0, 0]);
  });

  it('cuts what is longer than a message', async () => {
    const { near, remote } = await linked(undefined, 100);
    const text = 'x'.repeat(10_000);
    const received = textOf(remote);
    near.end(text);
    remote.end();
    await expect(received).resolves.toBe(text);
  });

  it('holds back what its reader does not take, and loses none of it', async () => {
    const { near, remote } = await linked();
    let written = 0;
    for (let count = 0; count < 64; count += 1) near.write(Buffer.alloc(128 * 1024), () => (written += 1));
    near.end();
    await nextTurn();
    await nextTurn();
    expect(written).toBeLessThan(16);
    remote.end();
    const received = await textOf(remote);
    expect(received).toHaveLength(64 * 128 * 1024);
    expect(written).toBe(64);
  });

  it('ends for both when a message was lost, at the latest with the next sign of life: no reply is waited for in vain', async () => {
    // The first message is the hello, the second one the first bytes.
    const { near, remote, clock } = await linked((count) => count === 2);
    const ended = [near, remote].map((link) => new Promise((resolve) => link.once('close', resolve)));
    near.write('lost');
    await nextTurn();
    expect([near.destroyed, remote.destroyed]).toEqual([false, false]);
    clock.advance(5000);
    await Promise.all(ended);
    expect(String(remote.errored)).toContain('were lost');
  });

  it('gives its reader what came before the other end was closed, and then the reason', async () => {
    const { near, remote } = await linked();
    remote.write('the last answer');
    await nextTurn();
    remote.destroy(new Error('this node ends'));
    await nextTurn();
    const read: string[] = [];
    near.on('data', (part: Buffer) => read.push(part.toString()));
    const reason = new Promise((resolve) => near.once('error', resolve));
    expect(String(await reason)).toContain('this node ends');
    expect(read).toEqual(['the last answer']);
  });

  it('gives its reader all answers from before the other end was closed, however many those are', async () => {
    const { near, remote, clock } = await linked();
    const answers = 900 * 1024;
    remote.write(Buffer.alloc(answers));
    await nextTurn();
    remote.destroy(new Error('this node ends'));
    await pass(clock, 60_000);
    let read = 0;
    const reason = new Promise((resolve) => near.once('error', resolve));
    // A reader that is slow: what it takes is acknowledged.
    for (
      let part = near.read(64 * 1024) as Buffer | null;
      part !== null;
      part = near.read() as Buffer | null
    ) {
      read += part.length;
      await nextTurn();
    }
    expect(String(await reason)).toContain('this node ends');
    expect(read).toBe(answers);
  });

  it('ends when the other node is gone, at once if something is sent, and else with the next sign of life', async () => {
    const { near, remote, clock, there } = await linked();
    remote.on('error', () => undefined);
    const closed = new Promise((resolve) => near.once('close', resolve));
    there.close();
    await closed;
    clock.advance(20_000);
    expect(near.destroyed).toBe(true);
  });

  it('is refused at once by a node that is not there', async () => {
    const { here } = await linked();
    await expect(here.open('nobody', {})).rejects.toMatchObject({ code: 'NOBODY' });
  });

  it('ends 20 seconds after it was used last when the other end has gone silent', async () => {
    const { near, clock, state } = await linked();
    state.isSilent = true;
    near.write('is anybody there?');
    await pass(clock, 19_000);
    expect(near.destroyed).toBe(false);
    await pass(clock, 1000);
    expect(String(near.errored)).toContain('no longer answers');
  });

  it('ends when the other end goes silent while a caller waits, within twice the time of the waiting and 15 s', async () => {
    const { near, clock, state } = await linked();
    near.write('a call that takes long');
    await pass(clock, 60_000);
    state.isSilent = true;
    await pass(clock, 75_000);
    expect(near.destroyed).toBe(true);
  });

  it('ends within 5 seconds when the other end is silent and its node may be gone', async () => {
    const { near, remote, clock, here, state } = await linked();
    await pass(clock, 3_600_000);
    here.doubt('b');
    await pass(clock, 600_000);
    expect([near.destroyed, remote.destroyed]).toEqual([false, false]);
    state.isSilent = true;
    here.doubt('another node');
    here.doubt('b');
    await pass(clock, 5000);
    expect(near.destroyed).toBe(true);
  });

  it('sends hardly anything while nobody uses it, and goes on when somebody does', async () => {
    const { near, remote, clock, network } = await linked();
    near.write('used');
    remote.write('once');
    await pass(clock, 30_000);
    const { messages } = network.delivered;
    await pass(clock, 24 * 3_600_000);
    // Two messages in ten minutes.
    expect(network.delivered.messages - messages).toBeLessThan(2 * 6 * 24 + 10);
    const received = textOf(remote);
    near.end(' and again');
    remote.end();
    await expect(received).resolves.toBe('used and again');
  });

  it('finds a message that was lost after a long silence as soon as else', async () => {
    let isLost = false;
    const { near, remote, clock } = await linked(() => isLost);
    await pass(clock, 3_600_000);
    isLost = true;
    near.write('lost');
    isLost = false;
    await pass(clock, 5000);
    expect([near.destroyed, remote.destroyed]).toEqual([true, true]);
  });
});
