import { once } from 'node:events';

import { fixtureCommand } from '@mcpmux/test-servers';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { expect, it, vi } from 'vitest';

import type { CommandValue } from '../index.js';
import { MAX_CONCURRENT_SPAWNS } from '../process/server-process.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const TEXT = '${cmd:vault}';
const CONFIG = {
  ...fixtureCommand('env-dump'),
  env: { TOKEN: `Bearer ${TEXT}` },
  commands: { [TEXT]: ['vault'] },
};

it('the value of a command replaces its text at each start, and is redacted from then on', async () => {
  let count = 0;
  const commandValue: CommandValue = ([program], { server }) => {
    count += 1;
    return Promise.resolve(`${program}-of-${server}-${count}`);
  };
  await using rig = await MuxRig.open({}, {}, { commandValue });
  await rig.mux.addServer('a', CONFIG);
  const events = rig.mux.events({ details: true });
  expect(textOf(await rig.mux.callTool('a__env', {}))).toContain('"TOKEN":"Bearer vault-of-a-1"');
  await rig.mux.reloadServer('a');
  expect(textOf(await rig.mux.callTool('a__env', {}))).toContain('"TOKEN":"Bearer vault-of-a-2"');
  const said: unknown[] = [rig.mux.listServers(), rig.logger.records];
  await rig.mux.close();
  for await (const event of events) said.push(event);
  expect(JSON.stringify(said)).toContain('Bearer [redacted]');
  expect(JSON.stringify(said)).not.toContain('vault-of-a');
});

it('a server does not start without its values, and says why', async () => {
  const commandValue: CommandValue = () => Promise.reject(new Error('the vault is closed'));
  await using rig = await MuxRig.open({}, {}, { commandValue });
  await expect(rig.mux.addServer('a', CONFIG)).rejects.toThrow('the vault is closed');
  await using bare = await MuxRig.open();
  await expect(bare.mux.addServer('a', CONFIG)).rejects.toThrow('the host of this mcpmux runs none');
});

it('a server that is removed while its command runs ends the command, and starts no other', async () => {
  const ran: string[] = [];
  const signals: AbortSignal[] = [];
  const commandValue: CommandValue = async ([program = ''], { signal }) => {
    ran.push(program);
    signals.push(signal);
    await once(signal, 'abort');
    return 'late';
  };
  await using rig = await MuxRig.open({}, {}, { commandValue });
  const commands = { ...CONFIG.commands, '${cmd:other}': ['other'] };
  const adding = rig.mux.addServer('a', { ...CONFIG, commands }).catch((error: unknown) => error);
  await vi.waitUntil(() => ran.length > 0);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await rig.mux.removeServer('a');
  expect(await adding).toBeInstanceOf(Error);
  await nextTurn();
  expect(ran).toEqual(['vault']);
});

it('commands of many servers wait for the places of starting processes', async () => {
  let running = 0;
  let most = 0;
  const commandValue: CommandValue = async () => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    return 'v';
  };
  await using rig = await MuxRig.open({}, {}, { commandValue });
  const names = Array.from({ length: MAX_CONCURRENT_SPAWNS + 3 }, (_, at) => `s${at}`);
  await Promise.all(names.map((name) => rig.mux.addServer(name, CONFIG)));
  expect(most).toBeLessThanOrEqual(MAX_CONCURRENT_SPAWNS);
});
