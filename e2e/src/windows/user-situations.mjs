// Situations of a user on Windows, continued: the pipe of a shared process, Ctrl-C, secrets, long paths, code pages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { run, stillRunning } from './mcpmux.mjs';

/** Node.js turns Ctrl-C into this event. No program can press the keys in a console that it does not have. */
const CTRL_C = `data:text/javascript,${encodeURIComponent(`
import { existsSync } from 'node:fs';
const file = process.env.CTRL_C;
const timer = setInterval(() => {
  if (!existsSync(file)) return;
  clearInterval(timer);
  process.emit('SIGINT');
}, 20);
timer.unref();
`)}`;

/** The situations, by their titles. Each gets the places of `lay`. */
export const USER_SITUATIONS = {
  '`--shared`: calls that end with their input are answered': async ({ serve, config, server }) => {
    await writeFile(config, JSON.stringify({ mcpServers: { one: { command: 'node', args: [server] } } }));
    const window = await serve({}, '--shared');
    await window.value('one__args');
    const slow = window.call('one__slow', { name: 'late' });
    window.child.stdin.end();
    assert.equal(await slow, '"late"');
    assert.equal(await window.exited, 0);
  },
  '`--shared`: a program that takes the name of the pipe gets no message': async (places) => {
    const { serve, mcpmux } = places;
    const window = await serve({}, '--shared');
    const { stdout } = await mcpmux('list', '--all', '--json');
    const [, pipe] = /"socket": ?("[^"]*shared[^"]*")/.exec(stdout) ?? assert.fail(stdout);
    await window.end();
    const received = [];
    const thief = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.on('data', (chunk) => {
        received.push(String(chunk));
        connection.write('{"jsonrpc":"2.0","id":0,"result":{"proof":"00","state":"opened"}}\n');
      });
    });
    await listening(thief, JSON.parse(pipe));
    await assert.rejects(() => serve({}, '--shared'), /has taken its named pipe|EADDRINUSE/);
    thief.close();
    assert.ok(received.length > 0);
    for (const line of received) assert.match(line, /^{[^{]*"params":{"for":"proof","nonce":"[\da-f]+"}}\n$/);
  },
  'Ctrl-C, as Node.js hands it on: the tree is gone, and the exit code is 130': async (places) => {
    const file = join(places.home, 'ctrl-c');
    const serving = await places.serve({ CTRL_C: file, NODE_OPTIONS: `--import ${CTRL_C}` });
    await serving.call('add_server', { name: 'a', command: 'srv', args: ['--stay', '--tree'] });
    const pids = await serving.value('a__tree');
    await writeFile(file, '');
    assert.equal(await serving.exited, 130);
    assert.deepEqual(await stillRunning(pids), []);
  },
  'secrets: the Credential Manager keeps one, and a server gets it': async (places) => {
    const { mcpmux, cli, env, home, config, serve, server } = places;
    const kept = await run([cli, 'secret', 'set', 'windows-row'], { env, cwd: home, input: 'hidden value' });
    assert.equal(kept.code, 0, kept.stderr);
    const entry = { command: 'node', args: [server], env: { TOKEN: '${secret:windows-row}' } };
    await writeFile(config, JSON.stringify({ mcpServers: { a: entry } }));
    const serving = await serve();
    assert.equal(await serving.value('a__env', { name: 'TOKEN' }), 'hidden value');
    await serving.end();
    assert.equal((await mcpmux('secret', 'remove', 'windows-row')).code, 0);
  },
  'a config longer than 260 characters: read, and changed by a command': async (places) => {
    const { folder, mcpmux, serve, server } = places;
    const deep = join(
      folder,
      ...Array.from({ length: 8 }, (_, index) => `a long name of a folder ${index} ä`.repeat(2)),
    );
    assert.ok(deep.length > 260);
    await mkdir(deep, { recursive: true });
    const file = join(deep, 'config.json');
    await writeFile(file, '{\r\n  "mcpServers": {}\r\n}\r\n');
    const added = await mcpmux('add', 'a', '--config', file, '--', 'node', server, 'deep');
    assert.equal(added.code, 0, added.stderr);
    assert.match(await readFile(file, 'utf8'), /"deep"\r?\n/);
    const serving = await serve({}, '--config', file);
    assert.deepEqual(await serving.value('a__args'), ['deep']);
    await serving.end();
  },
  'text beyond ASCII: in arguments of a command, and in what it prints': async (places) => {
    const { config, server, mcpmux } = places;
    await writeFile(config, JSON.stringify({ mcpServers: { a: { command: 'node', args: [server] } } }));
    const { stdout, stderr } = await mcpmux('call', 'a.echo', 'name=größe 日本 🙂');
    assert.match(stdout, /größe 日本 🙂/, stderr);
  },
};

/** The situations of the command as one executable file, where there is one. */
export const SINGLE_FILE_SITUATIONS = {
  'the single file: its version, and a call through a second one that it starts': async (places) => {
    const { single, env, home } = places;
    const { stdout } = await promisify(execFile)(single, ['--version'], { env, cwd: home });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    const serving = await places.serveSingle();
    await serving.call('add_server', { name: 'inner', command: single });
    assert.deepEqual((await serving.value('inner__list_servers')).servers, []);
    assert.equal(await serving.end(), 0);
  },
  'the single file: a tree of three is gone when it has been killed': async (places) => {
    const serving = await places.serveSingle();
    await serving.call('add_server', { name: 'a', command: 'srv', args: ['--stay', '--tree', '--tree'] });
    const pids = await serving.value('a__tree');
    serving.child.kill();
    await serving.exited;
    assert.deepEqual(await stillRunning(pids), []);
  },
};

/** Resolves when the server has the name, which is free a moment after its process has ended. */
async function listening(server, pipe) {
  for (;;) {
    const outcome = await new Promise((resolve) => {
      server.once('error', resolve);
      server.listen(pipe, () => resolve(undefined));
    });
    if (outcome === undefined) return;
    if (outcome.code !== 'EADDRINUSE') throw outcome;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
