#!/usr/bin/env node
// The directory of a cluster in virtual time: up to 200 nodes, 5,000 servers and 100,000 sessions, with the code that
// nodes run and a network with seeded delays. Prints the size of the directory, its traffic, and the time of failovers.
//
// usage: node tools/cluster-simulation.mjs [SEED [LARGEST]]     (with core built)
import process from 'node:process';

// the built package, which the root of the workspace cannot name
const { ClusterNode, MemoryNetwork, encodeRecord, keyOf } = await import(
  new URL('../packages/core/dist/cluster.js', import.meta.url).href
);

const SEED = Number(process.argv[2] ?? 1);
const LARGEST = Number(process.argv[3] ?? 200);
const LEASE_MS = 10_000;
const SERVERS_PER_NODE = 25;
const SESSIONS_PER_NODE = 500;
const QUIET_MS = 30_000;
const SILENT = { enabled: () => false, log: () => undefined };

/** Time that passes only when nothing is left to do at its moment. */
class VirtualClock {
  time = 0;
  heap = [];
  now = () => this.time;
  schedule = (callback, delayMs) => {
    const entry = { due: this.time + delayMs, callback, isOver: false };
    this.push(entry);
    return { cancel: () => (entry.isOver = true) };
  };

  async until(holds, limitMs) {
    const last = this.time + limitMs;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (holds()) return true;
      const next = this.heap[0];
      if (next === undefined || next.due > last) {
        this.time = last;
        return holds();
      }
      this.time = next.due;
      // What is due within one millisecond has no order.
      while (this.heap.length > 0 && this.heap[0].due <= this.time + 1) {
        const { callback, isOver } = this.pop();
        if (!isOver) callback();
      }
    }
  }

  push(entry) {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0 && heap[(at - 1) >> 1].due > entry.due) {
      heap[at] = heap[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    heap[at] = entry;
  }

  pop() {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1].due < heap[child].due) child += 1;
      if (heap[child].due >= last.due) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed >>> 0) / 2 ** 32;
  };
}

async function simulate(nodeCount) {
  const random = seeded(SEED * 1000 + nodeCount);
  const clock = new VirtualClock();
  const network = new MemoryNetwork({ later: (deliver) => clock.schedule(deliver, 1 + 9 * random()) });
  const serverCount = nodeCount * SERVERS_PER_NODE;
  const hereSince = new Map();
  const nodes = [];
  for (let index = 0; index < nodeCount; index += 1) {
    const cluster = network.join();
    const id = `n${index}-${Math.floor(random() * 2 ** 32).toString(16)}`;
    const host = {
      place: async (server, place) => {
        if (place.kind === 'here') hereSince.set(server, { id, at: clock.now() });
      },
      hasten: () => undefined,
    };
    const options = {
      id,
      name: `n${index}`,
      labels: [],
      capacity: 1000,
      version: '1.0.0',
      leaseMs: LEASE_MS,
      clock,
      logger: SILENT,
    };
    const node = new ClusterNode(cluster, options, host);
    nodes.push({ id, node, cluster });
    await node.start();
  }
  const from = clock.now();
  const { servers } = nodes[0].node;
  for (let index = 0; index < serverCount; index += 1)
    await servers.create(
      keyOf(`server-${index}`),
      encodeRecord({ spec: { entry: { command: 'npx', args: ['-y', `@example/server-${index}`] } } }),
    );
  const isPlaced = await clock.until(() => hereSince.size === serverCount, 120_000);
  const placedMs = isPlaced ? clock.now() - from : Number.NaN;
  await clock.until(() => false, LEASE_MS);
  const { changes: before } = network.delivered;
  await clock.until(() => false, QUIET_MS);
  const changesPerSecond = ((network.delivered.changes - before) * 1000) / QUIET_MS;
  const one = await failover(clock, nodes, hereSince, 1);
  const tenth = await failover(clock, nodes, hereSince, Math.max(1, Math.floor(nodeCount / 10)));
  const { node } = nodes.find(({ cluster }) => cluster.isConnected);
  return { nodeCount, serverCount, placedMs, changesPerSecond, bytes: sizeOf(node.directory), one, tenth };
}

/** Cuts nodes off, and gives the times until each of their servers runs elsewhere. */
async function failover(clock, nodes, hereSince, count) {
  const lost = nodes.filter(({ cluster }) => cluster.isConnected).slice(-count);
  const ids = new Set(lost.map(({ id }) => id));
  const servers = [...hereSince].filter(([, { id }]) => ids.has(id)).map(([server]) => server);
  const from = clock.now();
  for (const { cluster } of lost) cluster.connect(false);
  const isMoved = () => servers.every((server) => !ids.has(hereSince.get(server).id));
  const isDone = await clock.until(isMoved, 60_000);
  const times = servers.map((server) => hereSince.get(server).at - from).toSorted((a, b) => a - b);
  return { servers: servers.length, p50: times[times.length >> 1], max: isDone ? times.at(-1) : Number.NaN };
}

/** The bytes of what each node knows, as records. */
function sizeOf(directory) {
  let bytes = 0;
  for (const [name, { record }] of directory.servers) bytes += name.length + encodeRecord(record).length;
  for (const [name, owner] of directory.owners) bytes += name.length + encodeRecord(owner).length;
  for (const [id, { record }] of directory.nodes()) bytes += id.length + encodeRecord(record).length;
  return bytes;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const head = [
  'nodes',
  'servers',
  'sessions',
  'all placed after',
  'directory',
  'changes/s to one node',
  'changes/s in all',
  'one node dies: p50, last',
  'a tenth dies: p50, last',
  'sessions lost with one node',
];
process.stdout.write(`| ${head.join(' | ')} |\n| ${head.map(() => '---').join(' | ')} |\n`);
for (const nodeCount of [10, 25, 50, 100, 200].filter((count) => count <= LARGEST)) {
  const { serverCount, placedMs, changesPerSecond, bytes, one, tenth } = await simulate(nodeCount);
  const row = [
    nodeCount,
    serverCount,
    nodeCount * SESSIONS_PER_NODE,
    `${Math.round(placedMs)} ms`,
    `${Math.round(bytes / 1000)} kB`,
    Math.round(changesPerSecond / nodeCount),
    Math.round(changesPerSecond),
    `${seconds(one.p50)}, ${seconds(one.max)}`,
    `${seconds(tenth.p50)}, ${seconds(tenth.max)}`,
    SESSIONS_PER_NODE,
  ];
  process.stdout.write(`| ${row.join(' | ')} |\n`);
}
process.exit(0);
