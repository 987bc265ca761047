#!/usr/bin/env node
// Real nodes, to be compared with `cluster-simulation.mjs`: the traffic of nodes at rest, and what happens when one of them
// is killed. One Markdown row for each number of nodes.
//
// usage: node tools/cluster-nodes.mjs [NODES ...]     (2, 3 and 4 by default; with the cli built, nats-server on the PATH or
//        in MCPMUX_NATS_SERVER)
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { call, median, names, until } from './cluster-bench/calls.mjs';
import { Rig, root } from './cluster-bench/rig.mjs';

const SERVERS_PER_NODE = 5;
/** Longer than a lease: the nodes have agreed. */
const SETTLE_MS = 10_000;
const QUIET_MS = 30_000;
const BETWEEN_CALLS_MS = 50;
const MS_PER_SECOND = 1000;

const counts = process.argv.slice(2).map(Number);
row([
  'nodes',
  'servers',
  'changes/s to all nodes',
  'servers of a killed node run again after',
  'a new call to them fails after',
]);
row(Array.from({ length: 5 }, () => '---'));
for (const count of counts.length === 0 ? [2, 3, 4] : counts) await measured(count);

async function measured(count) {
  const rig = new Rig();
  try {
    const { url: nats, writes } = await rig.monitoredNats();
    const { config, nodes } = await started(rig, nats, count);
    await delay(SETTLE_MS);
    const before = await writes();
    await delay(QUIET_MS);
    // Each node reads each change.
    const rate = (((await writes()) - before) * count * MS_PER_SECOND) / QUIET_MS;
    const { moved, failed } = await failover(await status(nats, config), nodes);
    row([count, count * SERVERS_PER_NODE, rate.toFixed(1), both(moved), both(failed)]);
  } finally {
    await rig.close();
  }
}

/** Starts the nodes. Resolves with them and their config when each lists the tools of all servers. */
async function started(rig, nats, count) {
  const entry = { command: process.execPath, args: [join(root, 'tools/cluster-bench/cpu-server.mjs')] };
  const servers = Array.from({ length: count * SERVERS_PER_NODE }, (_, index) => [`cpu${index}`, entry]);
  const config = rig.config('nodes', Object.fromEntries(servers));
  const nodes = [];
  for (let index = 0; index < count; index += 1) {
    const name = `n${index}`;
    const url = await rig.node(name, nats, config);
    nodes.push({ name, url, child: rig.children.at(-1) });
  }
  const isListed = async (url) =>
    (await names(url)).filter((name) => name.endsWith('__compute')).length === servers.length;
  for (const { url } of nodes) await until(() => isListed(url));
  return { config, nodes };
}

/** Kills a node. Calls to each of its servers are repeated over another node until one is answered. */
async function failover(placed, nodes) {
  const killed = nodes.find(({ name }) => placed.some(({ node }) => node === name));
  const { url } = nodes.find((node) => node !== killed);
  const own = placed.filter(({ node }) => node === killed.name).map(({ name }) => name);
  killed.child.kill('SIGKILL');
  const from = performance.now();
  await once(killed.child, 'exit');
  const times = await Promise.all(own.map((server) => untilAnswered(url, server, from)));
  return { moved: times.map(({ moved }) => moved), failed: times.map(({ failed }) => failed) };
}

async function untilAnswered(url, server, from) {
  let failed;
  for (;;) {
    try {
      await call(url, `${server}__compute`, {});
      return { moved: performance.now() - from, failed };
    } catch {
      failed ??= performance.now() - from;
      await delay(BETWEEN_CALLS_MS);
    }
  }
}

async function status(nats, config) {
  const program = join(root, 'packages/cli/bin/mcpmux.cjs');
  const args = [program, 'cluster', 'status', '--cluster', nats, '--config', config, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

function both(times) {
  const known = times.filter((time) => time !== undefined);
  return `${seconds(median(known))}, ${seconds(Math.max(...known))}`;
}

function seconds(time) {
  return `${(time / MS_PER_SECOND).toFixed(1)} s`;
}

function row(cells) {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
