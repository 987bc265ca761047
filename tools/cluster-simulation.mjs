#!/usr/bin/env node
// A cluster in virtual time: up to 200 nodes, 5,000 servers and 100,000 sessions, with the code that nodes run and a
// network with seeded delays. Prints the size of the directory, the traffic, the times of failovers, and what becomes of
// sessions. With --check it simulates ten nodes, and fails if a figure is out of its bounds.
//
// usage: node tools/cluster-simulation.mjs [--check | SEED [LARGEST]]
import process from 'node:process';

import { idleLinks } from './cluster-simulation/idle-links.mjs';
import { simulate } from './cluster-simulation/simulate.mjs';

const [first = '1', largest = '200'] = process.argv.slice(2);
const SIZES = [2, 3, 4, 10, 25, 50, 100, 200];
/** What docs/cluster.md promises, and what sessions and links are designed for. */
const BOUNDS = {
  'all servers are placed, s': [({ placedMs }) => placedMs / 1000, 0.01, 3],
  'bytes of the directory for each server': [({ bytes, serverCount }) => bytes / serverCount, 50, 250],
  'changes/s to one node, for each node': [
    ({ changesPerSecond, nodeCount }) => changesPerSecond / nodeCount ** 2,
    0.3,
    0.5,
  ],
  'messages of an idle link in 10 minutes': [({ links }) => links.perLink * 600, 0.5, 2.1],
  'servers of a node that was killed, s': [({ one }) => one.moved.last / 1000, 7, 15],
  'calls to a node that was killed, s': [({ one }) => one.failed.last / 1000, 0, 15],
  'servers of nodes that are silent, s': [({ tenth }) => tenth.moved.last / 1000, 7, 15],
  'calls to nodes that are silent, s': [({ tenth }) => tenth.failed.last / 1000, 0, 16],
  'calls that wait': [({ one, tenth }) => Math.min(one.calls, tenth.calls), 1, Infinity],
  'sessions lost with one node, of 500': [({ requests }) => requests.gone, 500, 500],
  'requests without an answer': [({ requests }) => requests.unanswered + requests.unknown, 0, 0],
  'share of the requests that another node forwards': [
    ({ requests }) => requests.forwarded / (requests.forwarded + requests.here),
    0.86,
    0.92,
  ],
};

async function figuresOf(nodeCount, seed) {
  const figures = await simulate(nodeCount, seed);
  return { ...figures, links: await idleLinks(nodeCount, figures.serverCount, seed) };
}

async function check() {
  const figures = await figuresOf(10, 1);
  let isFine = figures.one.isDone && figures.tenth.isDone;
  for (const [name, [figure, least, most]] of Object.entries(BOUNDS)) {
    const value = figure(figures);
    const isIn = value >= least && value <= most;
    process.stdout.write(`${isIn ? 'ok' : 'OUT OF BOUNDS'}: ${name}: ${Number(value.toFixed(3))}\n`);
    isFine &&= isIn;
  }
  return isFine;
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const both = ({ p50, last }, isDone) => (isDone ? `${seconds(p50)}, ${seconds(last)}` : 'never');
const COLUMNS = {
  nodes: ({ nodeCount }) => nodeCount,
  servers: ({ serverCount }) => serverCount,
  'all placed after': ({ placedMs }) => seconds(placedMs),
  directory: ({ bytes }) => `${Math.round(bytes / 1000)} kB`,
  'changes/s': ({ changesPerSecond }) => Math.round(changesPerSecond),
  'idle links': ({ links }) => links.count,
  'their messages/s': ({ links }) => Math.round(links.messagesPerSecond),
  'one node is killed: servers': ({ one }) => both(one.moved, one.isDone),
  'calls to it fail': ({ one }) => both(one.failed, one.isDone),
  'a tenth goes silent: servers': ({ tenth }) =>
    tenth === undefined ? '–' : both(tenth.moved, tenth.isDone),
  'calls to them fail': ({ tenth }) => (tenth === undefined ? '–' : both(tenth.failed, tenth.isDone)),
  sessions: ({ sessionCount }) => sessionCount,
  'lost with the killed node': ({ requests }) => requests.gone,
  'forwarded requests': ({ requests }) => requests.forwarded,
};

if (first === '--check') process.exit((await check()) ? 0 : 1);
process.stdout.write(
  `| ${Object.keys(COLUMNS).join(' | ')} |\n| ${Object.keys(COLUMNS)
    .map(() => '---')
    .join(' | ')} |\n`,
);
for (const nodeCount of SIZES.filter((count) => count <= Number(largest))) {
  const figures = await figuresOf(nodeCount, Number(first));
  const row = Object.values(COLUMNS).map((column) => column(figures));
  process.stdout.write(`| ${row.join(' | ')} |\n`);
  const { unanswered, unknown } = figures.requests;
  if (unanswered + unknown > 0)
    process.stderr.write(`${unanswered} requests without an answer, ${unknown} with 503\n`);
}
process.exit(0);
