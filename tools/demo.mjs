#!/usr/bin/env node
// Shows the main job on a real server, through the built command and a real client: a server is added, a tool
// called, the server reloaded and removed. Ends with exit code 1 at the first thing that is not as it should be.
//
// usage: node tools/demo.mjs        (npm start installs and builds first)
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// the client and the server are dependencies of the end-to-end tests
const require = createRequire(join(root, 'e2e', 'package.json'));
const sdk = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await sdk('client/index.js');
const { StdioClientTransport } = await sdk('client/stdio.js');

const COMMAND = join(root, 'packages', 'cli', 'bin', 'mcpmux.cjs');
const SERVER = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist',
  'index.js',
);
const began = performance.now();

function say(what) {
  process.stdout.write(`${String(Math.round(performance.now() - began)).padStart(6)} ms  ${what}\n`);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const transport = new StdioClientTransport({
  command: process.execPath,
  // Whatever servers the user has: they are not to be started for this.
  args: [COMMAND, '--no-config', '--no-socket', '--log-level', 'error'],
  env: { ...process.env, NODE_EXTRA_CA_CERTS: '' },
});
const client = new Client({ name: 'demo', version: '1.0.0' });
const call = (name, args = {}) => client.callTool({ name, arguments: args });
const textOf = (result) => result.content[0].text;
const server = async () =>
  (await call('list_servers')).structuredContent.servers.find(({ name }) => name === 'every');

await client.connect(transport);
const own = (await client.listTools()).tools.map((tool) => tool.name);
say(`mcpmux is up and offers ${own.join(', ')}`);

const added = await call('add_server', { name: 'every', command: process.execPath, args: [SERVER] });
assert.ok(!added.isError, textOf(added));
say(
  `add_server: "every" (@modelcontextprotocol/server-everything) runs with ${added.structuredContent.tools.length} tools`,
);

const answer = await call('every__get-sum', { a: 40, b: 2 });
assert.match(textOf(answer), /42/);
say(`every__get-sum {"a":40,"b":2}: ${textOf(answer)}`);

const before = await server();
const reloaded = await call('reload_server', { name: 'every' });
assert.ok(!reloaded.isError, textOf(reloaded));
const after = await server();
assert.notEqual(after.pid, before.pid);
say(`reload_server: process ${before.pid} has become ${after.pid}, restarts: ${after.restarts}`);
assert.equal(after.status, 'running');
say(`list_servers: "${after.name}" is ${after.status} with ${after.tools.length} tools`);

const again = await call('every__echo', { message: 'still here' });
assert.equal(textOf(again), 'Echo: still here');
say(`every__echo {"message":"still here"}: ${textOf(again)}`);

const removed = await call('remove_server', { name: 'every' });
assert.ok(!removed.isError, textOf(removed));
say('remove_server: "every" is gone');

const refusal = await call('every__echo', { message: 'gone?' }).catch((error) => error);
assert.equal(refusal.code, -32602);
say(`every__echo again: ${refusal.message}`);

const pid = transport.pid;
await client.close();
const left = [pid, before.pid, after.pid].filter((one) => isAlive(one));
assert.deepEqual(left, []);
say('mcpmux has ended and left no process behind');
process.stdout.write('\nserver added, tool called, server reloaded, server removed: all as it should be\n');
