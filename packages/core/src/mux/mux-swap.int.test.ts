import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { fixturePath } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { AuditRecord } from '../index.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';
import { importStatement } from '@mcpmux/testing/importing';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

it('E4: with reload swap, calls go on through a good build and a bad one', async () => {
  await using folder = await temporaryFolder();
  await using rig = await MuxRig.open({ limits: { drainMs: 10_000 } });
  const program = join(folder.path, 'server.mjs');
  const build = (text: string): Promise<void> => writeFile(program, text);
  await build(importStatement(fixturePath('echo')));
  await rig.mux.addServer('e', { command: process.execPath, args: [program], reload: 'swap' });
  const firstPid = rig.pid('e');

  const slow = rig.client.call('e__slow_echo', { message: 'from before', delay_ms: 1000 });
  await build(importStatement(fixturePath('echo-v2')));
  const { tools } = await rig.client.manage('reload_server', { name: 'e' });
  expect(tools).toMatchObject([{ name: 'e__echo' }, { name: 'e__slow_echo' }, { name: 'e__reverse' }]);
  expect(textOf((await slow).result)).toBe('from before');
  const secondPid = rig.pid('e');
  expect(secondPid).not.toBe(firstPid);

  await build('process.exit(9);\n');
  const { result } = await rig.client.call('reload_server', { name: 'e' });
  expect(textOf(result)).toContain('exited with code 9');
  expect(textOf(result)).toContain('The previous run of the server continues');
  expect(rig.status('e')).toMatchObject({ status: 'running', pid: secondPid });
  expect(textOf((await rig.client.call('e__reverse', { message: 'abc' })).result)).toBe('cba');
});

// Windows removes no program that runs
it.skipIf(process.platform === 'win32')(
  'E4, E11: a swap that fails is in the logs of the server, and in the audit when nothing could be started',
  async () => {
    await using folder = await temporaryFolder();
    await using rig = await MuxRig.open();
    const command = join(folder.path, 'program');
    await symlink(process.execPath, command);
    await rig.mux.addServer('e', { command, args: [fixturePath('echo')], reload: 'swap' });
    const records: AuditRecord[] = [];
    rig.mux.on('audit', (record) => records.push(record));
    await rm(command);
    await rig.client.call('reload_server', { name: 'e' });
    expect(records).toMatchObject([
      { action: 'reload', server: 'e', outcome: 'done' },
      { action: 'spawn', server: 'e', outcome: 'failed' },
    ]);
    const { result } = await rig.client.call('server_logs', { name: 'e' });
    expect(textOf(result)).toContain('reload failed, the previous run continues');
  },
);
