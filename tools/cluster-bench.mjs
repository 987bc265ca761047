#!/usr/bin/env node
// What a call to a server on another node costs, beside the same call on one node and beside plain HTTP between two
// processes; how soon a new tool is listed everywhere; a result longer than a message of NATS.
//
// usage: node tools/cluster-bench.mjs [CALLS]     (with the cli and test-servers built, nats-server on the PATH or in
//        MCPMUX_NATS_SERVER)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const CALLS = Number(process.argv[2] ?? 2000);
const IN_FLIGHT = 32;
const ROUNDS = 3;
const CHANGES = 20;
const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'mcpmux-cluster-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
const children = [];

/** Answers each POST with its own body: what a call between two processes costs at the least. */
const PLAIN = `
  const server = require('node:http').createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.concat(parts)));
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

try {
  await main();
} finally {
  for (const child of children) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const nats = await startNats();
  const fixture = (name, more) => ({
    command: process.execPath,
    args: [join(root, `packages/test-servers/dist/${name}.js`)],
    mux: { cluster: { host: 'a', ...more } },
  });
  const config = join(folder, 'config.json');
  const servers = {
    echo: fixture('echo'),
    oversized: fixture('oversized'),
    'changing-tools': fixture('changing-tools'),
  };
  writeFileSync(config, JSON.stringify({ mcpServers: servers }));
  const [a, b] = [await startNode('a', nats, config), await startNode('b', nats, config)];
  for (const url of [a, b]) await until(async () => (await names(url)).includes('changing-tools__add_tool'));
  const plain = await startPlain();
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
  await changes(a, b);
  await large(b);
}

async function changes(a, b) {
  const times = [];
  for (let count = 0; count < CHANGES; count += 1) {
    const from = performance.now();
    await call(a, 'changing-tools__add_tool', { name: `t${count}` });
    await until(async () => (await names(b)).includes(`changing-tools__t${count}`));
    times.push(performance.now() - from);
    // mcpmux reads the lists of a server that changes them again and again once in a second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  times.sort((one, other) => one - other);
  say(
    `a new tool, from its call until the other node lists it: p50 ${ms(median(times))}, p99 of ${CHANGES} ${ms(times.at(-1))}`,
  );
}

async function large(b) {
  const from = performance.now();
  const text = await call(b, 'oversized__big', { bytes: 5_000_000 });
  say(
    `a result of 5 MB from another node, over a limit of 1 MB: ${ms(performance.now() - from)}, ${text.length} bytes`,
  );
}

async function measure(work, calls, inFlight) {
  const times = [];
  let left = Math.round(calls);
  const startedAt = performance.now();
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const from = performance.now();
      await work();
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  return {
    p50: times[times.length >> 1],
    p99: times[Math.floor(times.length * 0.99)],
    rate: times.length / seconds,
  };
}

function body(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
}

async function call(url, name, args) {
  const text = await post(url, body('tools/call', { name, arguments: args }), {
    'mcp-method': 'tools/call',
    'mcp-name': name,
  });
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(text.slice(0, 300));
  return text;
}

async function names(url) {
  const text = await post(url, body('tools/list', {}), { 'mcp-method': 'tools/list' });
  return (JSON.parse(text).result?.tools ?? []).map(({ name }) => name);
}

function post(url, text, more = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'content-length': Buffer.byteLength(text),
    ...more,
  };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent }, (response) => {
      const parts = [];
      response
        .on('data', (part) => parts.push(part))
        .on('end', () => resolve(Buffer.concat(parts).toString()));
    })
      .on('error', reject)
      .end(text);
  });
}

async function startNats() {
  const port = await freePort();
  const program = process.env.MCPMUX_NATS_SERVER ?? 'nats-server';
  const child = spawn(program, ['-js', '-sd', join(folder, 'nats'), '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  await said(child.stderr, /Server is ready/);
  return `nats://127.0.0.1:${port}`;
}

async function startNode(name, nats, config) {
  const cli = join(root, 'packages/cli/bin/mcpmux.cjs');
  const args = [
    cli,
    'serve',
    '--http',
    '0',
    '--cluster',
    nats,
    '--node',
    name,
    '--config',
    config,
    '--no-socket',
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder },
  });
  children.push(child);
  const [, url] = await said(child.stderr, /serving MCP at (\S+)/);
  return url;
}

async function startPlain() {
  const child = spawn(process.execPath, ['-e', PLAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [port] = await said(child.stdout, /\d+/);
  return `http://127.0.0.1:${port}/`;
}

async function said(stream, pattern) {
  let text = '';
  for (;;) {
    const found = pattern.exec(text);
    if (found !== null) return found;
    const [part] = await once(stream, 'data');
    text += part;
  }
}

async function until(holds) {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
