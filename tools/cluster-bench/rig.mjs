import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { SmallMachine } from './small-machine.mjs';

/** The folder of the repository. */
export const root = new URL('../..', import.meta.url).pathname;

/** The processes of a measurement. */
export class Rig {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-cluster-bench-'));
  children = [];

  /** Starts a server of NATS. Resolves with its url. */
  async nats(flags = []) {
    const port = await freePort();
    const program = process.env.MCPMUX_NATS_SERVER ?? 'nats-server';
    const child = this.spawn(
      program,
      ['-js', '-sd', join(this.folder, 'nats'), '-p', String(port), ...flags],
      'stderr',
    );
    await said(child.stderr, /Server is ready/);
    return `nats://127.0.0.1:${port}`;
  }

  /** Starts a server of NATS. Resolves with its url, and a function that counts the changes written so far. */
  async monitoredNats() {
    const port = await freePort();
    const url = await this.nats(['-m', String(port)]);
    const writes = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/jsz?accounts=true&streams=true`);
      const { account_details: accounts = [] } = await answer.json();
      const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
      return streams.reduce((sum, { state }) => sum + state.last_seq, 0);
    };
    return { url, writes };
  }

  /** Writes a config of a cluster of that name. Resolves with its path. */
  config(name, mcpServers) {
    const file = join(this.folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ cluster: { name }, mcpServers }));
    return file;
  }

  /** Starts a node, on a machine with so many cores if that is said. Resolves with its url. */
  async node(name, nats, config, cores) {
    const machine = cores === undefined ? undefined : new SmallMachine(name, cores);
    const program = join(root, 'packages/cli/bin/mcpmux.cjs');
    const flags = ['--http', '0', '--cluster', nats, '--node', name, '--config', config, '--no-socket'];
    const args = [program, 'serve', ...flags];
    const [command, words] = machine?.command(process.execPath, args) ?? [process.execPath, args];
    const child = this.spawn(command, words, 'stderr');
    if (machine !== undefined) child.once('close', () => machine.close());
    const [, url] = await said(child.stderr, /serving MCP at (\S+)/);
    return url;
  }

  /** Starts a program of Node.js that says its port. Resolves with its url. */
  async program(source) {
    const child = this.spawn(process.execPath, ['-e', source], 'stdout');
    const [port] = await said(child.stdout, /\d+/);
    return `http://127.0.0.1:${port}/`;
  }

  /** Ends the processes that were started since there were so many. */
  async end(from = 0) {
    const ended = this.children.splice(from).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    await Promise.all(ended);
  }

  async close() {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  spawn(command, args, piped) {
    const stdio = ['ignore', piped === 'stdout' ? 'pipe' : 'ignore', piped === 'stderr' ? 'pipe' : 'inherit'];
    const child = spawn(command, args, { stdio, env: { ...process.env, HOME: this.folder } });
    this.children.push(child);
    return child;
  }
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

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
