// A cluster that starts, rests, loses a node, serves its sessions, and loses a tenth of its nodes.
import { encodeRecord, keyOf, SessionIds } from './code.mjs';
import { delayedNetwork } from './network.mjs';
import { SimulatedNode } from './simulated-node.mjs';
import { seeded, VirtualClock } from './virtual-time.mjs';

const LEASE_MS = 10_000;
const SERVERS_PER_NODE = 25;
const SESSIONS_PER_NODE = 500;
/** Other nodes have links to so many servers of each node that dies: all links need more memory than a machine has. */
const LINKED_SERVERS = 3;
/** One of so many servers waits for its node instead of moving. */
const STAYING = 5;
const QUIET_MS = 30_000;
/** Calls wait so long when their node dies, at the most. */
const CALLS_MS = 15_000;
const REQUESTS_MS = 10_000;

/** Figures of a cluster of that many nodes. */
export async function simulate(nodeCount, seed) {
  const random = seeded(seed * 1000 + nodeCount);
  const clock = new VirtualClock();
  const network = delayedNetwork(clock, random);
  const world = {
    clock,
    random,
    network,
    nodes: [],
    runs: new Map(),
    /** The ends of calls to nodes that have died. */
    ended: [],
    sessions: [],
    /** The servers to which other nodes have links. */
    linked: new Set(),
    ids: new SessionIds(Buffer.alloc(32, seed)),
  };
  await join(world, nodeCount);
  const serverCount = nodeCount * SERVERS_PER_NODE;
  const placedMs = await place(world, serverCount);
  const tenthCount = Math.max(1, Math.floor(nodeCount / 10));
  linkTo(world, world.nodes.slice(1).slice(-1 - tenthCount));
  for (const { id } of world.nodes)
    for (let count = 0; count < SESSIONS_PER_NODE; count += 1) world.sessions.push(world.ids.create(id));
  await clock.pass(LEASE_MS);
  const { changes } = network.delivered;
  await clock.pass(QUIET_MS);
  const changesPerSecond = ((network.delivered.changes - changes) * 1000) / QUIET_MS;
  const one = await failover(world, 1, (cluster) => cluster.kill());
  const requests = await requestAll(world);
  // Of two nodes, none would be left.
  const tenth = nodeCount > 2 ? await failover(world, tenthCount, (cluster) => cluster.silence()) : undefined;
  const { directory } = living(world)[0].node;
  const figures = { nodeCount, serverCount, sessionCount: world.sessions.length, placedMs, changesPerSecond };
  return { ...figures, bytes: sizeOf(directory), one, tenth, requests };
}

async function join(world, nodeCount) {
  const { clock, random, network, nodes, ids, runs, ended, linked } = world;
  const parts = {
    random,
    ids,
    isLinked: (server) => linked.has(server),
    onRun: (server, id) => runs.set(server, { id, at: clock.now() }),
    onCallEnded: (node) => ended.push({ node, at: clock.now() }),
  };
  for (let index = 0; index < nodeCount; index += 1) {
    const id = `n${index}-${Math.floor(random() * 2 ** 32).toString(16)}`;
    const options = { id, name: `n${index}`, capacity: 4 * SERVERS_PER_NODE, leaseMs: LEASE_MS, clock };
    nodes.push(new SimulatedNode(network, options, parts));
  }
  let started = 0;
  for (const { node } of nodes) void node.start().then(() => (started += 1));
  await clock.until(() => started === nodeCount, 60_000);
}

/** Each node gives the servers of its config to the cluster, one after another. Resolves with the time until all run. */
async function place({ clock, nodes, runs }, serverCount) {
  const from = clock.now();
  for (const [index, { node }] of nodes.entries())
    void (async () => {
      for (let server = index; server < serverCount; server += nodes.length) {
        const key = keyOf(`server-${server}`);
        const spec = { entry: { command: 'npx', args: ['-y', `@example/server-${server}`] } };
        const rules = stays(`server-${server}`) ? { failover: 'never' } : {};
        if ((await node.servers.get(key)) === undefined)
          await node.servers.create(key, encodeRecord({ spec, ...rules }));
      }
    })();
  const isDone = await clock.until(() => runs.size === serverCount, 120_000);
  return isDone ? clock.now() - from : Number.NaN;
}

/** The nodes open links to some of the servers of those that are to die. */
function linkTo({ nodes, runs, linked }, doomed) {
  for (const { id } of doomed) {
    const own = [...runs].filter(([, run]) => run.id === id).map(([server]) => server);
    const moving = own.filter((server) => !stays(server));
    const chosen = [...own.filter(stays).slice(0, 1), ...moving].slice(0, LINKED_SERVERS);
    for (const server of chosen) linked.add(server);
  }
  for (const node of nodes) node.link(linked);
}

/** Nodes die, while calls to them wait. Resolves with the times until their servers run elsewhere, and calls have failed. */
async function failover(world, count, end) {
  const { clock, random, runs, ended } = world;
  const lost = living(world).slice(-count);
  const ids = new Set(lost.map(({ id }) => id));
  const servers = [...runs]
    .filter(([server, { id }]) => ids.has(id) && !stays(server))
    .map(([server]) => server);
  ended.length = 0;
  let calls = 0;
  for (const node of living(world))
    if (!ids.has(node.id))
      for (const id of ids) clock.schedule(() => (calls += node.call(id)), random() * CALLS_MS);
  await clock.pass(CALLS_MS);
  const from = clock.now();
  for (const { cluster } of lost) end(cluster);
  const isOver = () => servers.every((server) => !ids.has(runs.get(server).id)) && ended.length >= calls;
  const isDone = await clock.until(isOver, 120_000);
  const moved = spread(servers.map((server) => runs.get(server).at - from));
  const failed = spread(ended.filter(({ node }) => ids.has(node)).map(({ at }) => at - from));
  return { servers: servers.length, moved, calls, failed, isDone };
}

/** Each session sends a request through some node: a balancer knows no sessions. Resolves with the counts of the answers. */
async function requestAll(world) {
  const { clock, random, sessions } = world;
  const fronts = living(world);
  const counts = { here: 0, forwarded: 0, gone: 0, unknown: 0 };
  let answered = 0;
  for (const session of sessions) {
    const front = fronts[Math.floor(random() * fronts.length)];
    const send = async () => {
      counts[await front.request(session)] += 1;
      answered += 1;
    };
    clock.schedule(() => void send(), random() * REQUESTS_MS);
  }
  await clock.until(() => answered === sessions.length, 60_000);
  return { ...counts, unanswered: sessions.length - answered };
}

function stays(server) {
  return Number(server.split('-')[1]) % STAYING === 0;
}

function living({ nodes }) {
  return nodes.filter(({ isOver }) => !isOver);
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: sorted[sorted.length >> 1] ?? 0, last: sorted.at(-1) ?? 0 };
}

/** The bytes of what each node knows, as records. */
function sizeOf(directory) {
  let bytes = 0;
  for (const [name, { record }] of directory.servers) bytes += name.length + encodeRecord(record).length;
  for (const [name, owner] of directory.owners) bytes += name.length + encodeRecord(owner).length;
  for (const [id, { record }] of directory.nodes()) bytes += id.length + encodeRecord(record).length;
  return bytes;
}
