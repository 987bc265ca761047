import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

/** What `list_servers` says of these clients. */
const LEGACY = { era: 'legacy', protocol_version: '2025-11-25' };

/** A server with tools that starts only when the file named in START_GATE exists. */
function gated(gate: string): object {
  const { command, args } = fixtureCommand('paged');
  return { command: process.execPath, args: ['-e', WAITING, command, ...args], env: { START_GATE: gate } };
}

const WAITING = `
const timer = setInterval(() => {
  if (!require('node:fs').existsSync(process.env.START_GATE)) return;
  clearInterval(timer);
  const [command, ...args] = process.argv.slice(1);
  require('node:child_process').spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
}, 20);
`;

it('M1, fault A3: answers that a server is still starting before the host gives up, and announces its tools later', async () => {
  await using folder = await temporaryFolder();
  await using rig = await MuxRig.open({ limits: { addAnswerTimeoutMs: 50 } });
  const gate = join(folder.path, 'gate');
  const answer = await rig.client.manage('add_server', { name: 'late', ...gated(gate) });
  expect(answer).toMatchObject({ name: 'late', status: 'starting', tools: [] });
  expect(rig.status('late')).toMatchObject({ status: 'starting', tools: [] });
  expect(rig.client.count('notifications/tools/list_changed')).toBe(0);
  await writeFile(gate, '');
  await rig.client.listChanged(1);
  await expect(rig.client.serverTools()).resolves.toEqual(['late__first', 'late__second', 'late__third']);
});

it('M1: a call of a tool of a server that is still starting is answered at once and says so', async () => {
  await using rig = await MuxRig.open({ limits: { addAnswerTimeoutMs: 50 } });
  await rig.client.manage('add_server', { name: 'late', ...fixtureCommand('never-initialize') });
  const { result, error } = await rig.client.call('late__first');
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('late');
  expect(textOf(result)).toContain('starting');
});

it('M1: shows why a server failed that was still starting when add_server answered', async () => {
  await using rig = await MuxRig.open({ limits: { addAnswerTimeoutMs: 50 } });
  await rig.client.manage('add_server', { name: 'late', ...fixtureCommand('never-initialize') });
  const [life] = await rig.lifeline.waitForAlive(1);
  expect(life).toBeDefined();
  if (life !== undefined) process.kill(life.pid, 'SIGKILL');
  await rig.reached('late', 'crashed');
  const { servers } = await rig.client.manage('list_servers');
  expect(servers).toMatchObject([{ status: 'crashed', tools: [], last_error: { signal: 'SIGKILL' } }]);
});

it('M10: a cancelled add_server is undone, and its process ends', async () => {
  await using rig = await MuxRig.open();
  const params = { name: 'add_server', arguments: { name: 'late', ...fixtureCommand('never-initialize') } };
  rig.client.send(JSON.stringify({ jsonrpc: '2.0', id: 'add', method: 'tools/call', params }));
  await rig.lifeline.waitForAlive(1);
  rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"add"}}');
  await rig.allGone();
  await expect(rig.client.manage('list_servers')).resolves.toEqual({ servers: [], client: LEGACY });
  await expect(
    rig.client.manage('add_server', { name: 'late', ...fixtureCommand('no-tools') }),
  ).resolves.toMatchObject({ status: 'running' });
});

it.each([
  ['add_server', { name: 'new', ...fixtureCommand('no-tools') }],
  ['reload_server', { name: 'there' }],
])('fault A3: %s sends progress with the token of its call before it answers', async (tool, args) => {
  await using rig = await MuxRig.open();
  await rig.add('there', 'no-tools');
  const params = { name: tool, arguments: args, _meta: { progressToken: 'tok-7' } };
  rig.client.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }));
  const response = await rig.client.responseLine('7');
  const progress = rig.client.lines.findIndex((line) => line.includes('"method":"notifications/progress"'));
  expect(JSON.parse(rig.client.lines[progress] ?? '{}')).toMatchObject({
    params: { progressToken: 'tok-7' },
  });
  expect(progress).toBeLessThan(rig.client.lines.indexOf(response));
});

it('add_server sends no progress without a token', async () => {
  await using rig = await MuxRig.open();
  await rig.client.manage('add_server', { name: 'new', ...fixtureCommand('no-tools') });
  expect(rig.client.count('notifications/progress')).toBe(0);
});
