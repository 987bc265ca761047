#!/usr/bin/env node
// What a call to a server on another node costs, beside the same call on one node and beside plain HTTP between two
// processes; how soon a new tool is listed everywhere; a result longer than a message of NATS; one to three nodes.
//
// usage: node tools/cluster-bench.mjs [CALLS]     (with the cli and test-servers built, nats-server on the PATH or in
//        MCPMUX_NATS_SERVER)
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { body, call, IN_FLIGHT, measure, median, ms, names, post, until } from './cluster-bench/calls.mjs';
import { Rig, root } from './cluster-bench/rig.mjs';
import { scaleOut } from './cluster-bench/scale-out.mjs';

const CALLS = Number(process.argv[2] ?? 2000);
const ROUNDS = 3;
const CHANGES = 200;
const CHANGING = 10;
/** mcpmux reads the lists of a server that changes them again and again once in a second. */
const REST_MS = 1100;
const LARGE_BYTES = 5_000_000;

/** Answers each POST with its own body: what a call between two processes costs at the least. */
const PLAIN = `
  const server = require('node:http').createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.concat(parts)));
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const rig = new Rig();
try {
  await main();
} finally {
  await rig.close();
}

async function main() {
  say(`${cpus().length} cores, load before ${loadavg()[0].toFixed(1)}`);
  const nats = await rig.nats();
  const config = rig.config('bench', benchServers());
  const [a, b] = [await rig.node('a', nats, config), await rig.node('b', nats, config)];
  const isListed = (list) => list.filter((name) => name.endsWith('__add_tool')).length === CHANGING;
  for (const url of [a, b]) await until(async () => isListed(await names(url)));
  await calls(a, b);
  await changes(a, b);
  await large(b);
  await rig.end(1);
  const rates = await scaleOut(rig, nats);
  const told = rates.map(
    (rate, index) => `${index + 1} nodes ${Math.round(rate)} (${(rate / rates[0]).toFixed(2)} x)`,
  );
  say(`six CPU-bound servers of 2 ms a call, calls/s with ${IN_FLIGHT} in flight: ${told.join(', ')}`);
}

function benchServers() {
  const fixture = (name) => ({
    command: process.execPath,
    args: [join(root, `packages/test-servers/dist/${name}.js`)],
    mux: { cluster: { host: 'a' } },
  });
  const changing = Array.from({ length: CHANGING }, (_, index) => [`ch${index}`, fixture('changing-tools')]);
  return { echo: fixture('echo'), oversized: fixture('oversized'), ...Object.fromEntries(changing) };
}

async function calls(a, b) {
  const plain = await rig.program(PLAIN);
  const message = 'x'.repeat(900);
  const targets = {
    'plain node:http': () => post(plain, body('tools/call', { name: 'echo__echo', arguments: { message } })),
    'server on the same node': () => call(a, 'echo__echo', { message }),
    'server on another node': () => call(b, 'echo__echo', { message }),
  };
  for (const work of Object.values(targets)) await measure(work, 300, 1);
  const figures = Object.fromEntries(
    Object.keys(targets).map((name) => [name, { p50: [], p99: [], rate: [] }]),
  );
  // In turns: a machine that is busy for a while is busy for all of them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, work] of Object.entries(targets)) {
      const one = await measure(work, CALLS / ROUNDS, 1);
      const many = await measure(work, CALLS / ROUNDS, IN_FLIGHT);
      figures[name].p50.push(one.p50);
      figures[name].p99.push(one.p99);
      figures[name].rate.push(many.rate);
    }
  const local = median(figures['server on the same node'].p50);
  for (const [name, { p50, p99, rate }] of Object.entries(figures))
    say(
      `${name}: p50 ${ms(median(p50))}, p99 ${ms(median(p99))}, ${Math.round(median(rate))} calls/s with ${IN_FLIGHT} in flight, p50 ${(median(p50) / local).toFixed(2)} x of local`,
    );
}

async function changes(a, b) {
  const times = [];
  for (let round = 0; round < CHANGES / CHANGING; round += 1) {
    for (let index = 0; index < CHANGING; index += 1) {
      const from = performance.now();
      await call(a, `ch${index}__add_tool`, { name: `t${round}` });
      await until(async () => (await names(b)).includes(`ch${index}__t${round}`));
      times.push(performance.now() - from);
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  times.sort((one, other) => one - other);
  const p99 = times[Math.floor(times.length * 0.99)];
  say(
    `a new tool, from its call until the other node lists it: p50 ${ms(median(times))}, p99 ${ms(p99)}, slowest ${ms(times.at(-1))} of ${times.length}`,
  );
}

async function large(b) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    const text = await call(b, 'oversized__big', { bytes: LARGE_BYTES });
    if (text.length < LARGE_BYTES) throw new Error(`the result has ${text.length} bytes`);
    times.push(performance.now() - from);
  }
  say(`a result of 5 MB from another node, over a limit of 1 MB: ${ms(median(times))}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
