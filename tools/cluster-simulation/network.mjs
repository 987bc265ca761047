// A network of nodes, with delays by a seed.
import { MemoryNetwork } from './code.mjs';

const LEAST_MS = 1;
const SPREAD_MS = 9;

/** A network whose messages and changes take 1 to 10 ms. The messages of one sender stay in order. */
export function delayedNetwork(clock, random) {
  const last = new Map();
  const later = (deliver, from) => {
    const due = clock.now() + LEAST_MS + SPREAD_MS * random();
    if (from === undefined) return void clock.schedule(deliver, due - clock.now());
    const ordered = Math.max(due, (last.get(from) ?? 0) + 0.001);
    last.set(from, ordered);
    clock.schedule(deliver, ordered - clock.now());
  };
  return new MemoryNetwork({ later, clock });
}

/**
 * A connection whose operations on buckets take 1 to 10 ms there and 1 to 10 ms back. `kill` ends it like a process that is
 * killed: senders learn that nobody is there. `silence` ends it like a machine without power: nobody learns anything.
 */
export function delayedCluster(cluster, clock, random) {
  const state = { isSilent: false };
  const travel = () =>
    state.isSilent ? new Promise(() => {}) : clock.pause(LEAST_MS + SPREAD_MS * random());
  const delayed =
    (work) =>
    async (...args) => {
      await travel();
      try {
        return await work(...args);
      } finally {
        await travel();
      }
    };
  return {
    kill: () => cluster.connect(false),
    silence: () => (state.isSilent = true),
    get isOver() {
      return state.isSilent || !cluster.isConnected;
    },
    get isConnected() {
      return cluster.isConnected;
    },
    maxMessageBytes: cluster.maxMessageBytes,
    onConnection: (listener) => cluster.onConnection(listener),
    close: () => cluster.close(),
    mailbox: (address, { message, nobody }) => {
      const mailbox = cluster.mailbox(address, {
        message: (...args) => state.isSilent || message(...args),
        nobody: () => state.isSilent || nobody(),
      });
      return {
        send: (to, data) => state.isSilent || mailbox.send(to, data),
        close: () => state.isSilent || mailbox.close(),
      };
    },
    bucket: async (name, options) => {
      const { get, create, update, delete: remove, watch } = await cluster.bucket(name, options);
      return {
        get: delayed(get),
        create: delayed(create),
        update: delayed(update),
        delete: delayed(remove),
        watch: (onChange) => watch((change) => state.isSilent || onChange(change)),
      };
    },
  };
}
