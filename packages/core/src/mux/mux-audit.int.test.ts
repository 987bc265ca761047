import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { AuditRecord } from '../index.js';
import { MuxRig } from '../testing/mux-rig.js';
import type { RecordingLogger } from '../testing/recording-logger.js';

/** The records that went to the log. */
function logged({ records }: RecordingLogger): readonly unknown[] {
  return records
    .filter(({ message, level }) => message === 'audit' && level === 'info')
    .map(({ fields }) => fields);
}

it('E11: whatever is done to servers, or refused, is one audit record each, as event and in the log', async () => {
  const { command, args } = fixtureCommand('echo');
  const allowed = { command, args, moreArgs: true };
  await using rig = await MuxRig.open({ addPolicy: { mode: 'allowlist', commands: [allowed] } });
  const records: AuditRecord[] = [];
  rig.mux.on('audit', (record) => records.push(record));
  await rig.client.manage('add_server', { name: 'a', command, args: [...args, '--token', 'canary-9'] });
  await rig.client.call('add_server', { name: 'a', command, args });
  await rig.client.call('add_server', { name: 'evil', command: 'sh', args: ['-c', 'x y'] });
  await rig.client.manage('reload_server', { name: 'a' });
  await rig.client.manage('remove_server', { name: 'a' });
  await rig.mux.addServer('h', { command, args });
  await expect(rig.mux.addServer('none', { command: 'no-such-program-here' })).rejects.toThrow('none');
  const line = [command, ...args].join(' ');
  const a = { server: 'a', command: `${line} --token [redacted]`, outcome: 'done' };
  const again = { server: 'a', command: line, outcome: 'failed', rule: 'registry', session: 1 };
  const h = { server: 'h', command: line, outcome: 'done' };
  const none = { server: 'none', command: 'no-such-program-here' };
  const pid: unknown = expect.any(Number);
  expect(records).toEqual([
    { action: 'add', ...a, rule: 'allowlist entry 1', session: 1 },
    { action: 'spawn', ...a, rule: 'registered', pid },
    { action: 'add', ...again },
    {
      action: 'add',
      server: 'evil',
      command: 'sh -c "x y"',
      outcome: 'refused',
      rule: 'allowlist',
      session: 1,
    },
    { action: 'reload', ...a, rule: 'allow', session: 1 },
    { action: 'spawn', ...a, rule: 'registered', pid },
    { action: 'remove', ...a, rule: 'allow', session: 1 },
    { action: 'add', ...h, rule: 'host' },
    { action: 'spawn', ...h, rule: 'registered', pid },
    { action: 'add', ...none, outcome: 'done', rule: 'host' },
    { action: 'spawn', ...none, outcome: 'failed', rule: 'registered' },
    { action: 'remove', ...none, outcome: 'done', rule: 'start failed' },
  ]);
  expect(logged(rig.logger)).toEqual(records);
});

it('fault H3: no audit record, event or log line has a secret of the environment, arguments, headers or url', async () => {
  await using rig = await MuxRig.open();
  const seen: unknown[] = [];
  rig.mux.on('audit', (record) => seen.push(record));
  const events = rig.mux.events();
  const { command, args } = fixtureCommand('echo');
  await rig.client.manage('add_server', {
    name: 'program',
    command,
    args: [
      ...args,
      '--api-key=canary-1',
      '--password',
      'canary-2',
      'https://u:canary-3@a.example/?token=canary-4',
    ],
    env: { API_KEY: 'canary-5', PLAIN: 'canary-6' },
  });
  const url = 'http://user:canary-7@127.0.0.1:9/mcp/?api_key=canary-8';
  await rig.client.call('add_server', {
    name: 'url',
    url,
    headers: { Authorization: 'Bearer canary-9', X: 'canary-10' },
  });
  await rig.client.manage('reload_server', { name: 'program' });
  await rig.client.manage('remove_server', { name: 'program' });
  await rig.mux.close();
  for await (const event of events) seen.push(event);
  expect(seen.length).toBeGreaterThan(8);
  expect(JSON.stringify([...seen, ...rig.logger.records])).not.toContain('canary');
});
