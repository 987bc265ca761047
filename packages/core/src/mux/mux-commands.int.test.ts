import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { CommandValue } from '../index.js';
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
