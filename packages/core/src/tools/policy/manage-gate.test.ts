import { describe, expect, it } from 'vitest';

import type { Principal } from '../../guards/principal.js';
import { FakeSpawner } from '../../testing/fake-server.js';
import { OwnToolsRig } from '../../testing/own-tools-rig.js';
import type { RereadResult } from '../../server/lists/registration.js';
import { quoteIfUnclear } from '../journal/audit.js';
import type { AddPolicy } from './add-policy.js';

const NODE = process.execPath;
const ANN: Principal = { id: 'ann', roles: [], rights: [] };
const OPERATIONS = ['remove_server', 'reload_server'] as const;

/** A client over HTTP, and the server `config` of the host. */
async function rigOf(policy: AddPolicy): Promise<OwnToolsRig> {
  const rig = new OwnToolsRig(new FakeSpawner(() => ({ tools: ['say'] })), policy);
  Object.assign(rig, { principal: ANN, isStdio: false });
  await rig.registryRig.registry.add('config', { command: NODE }).started;
  return rig;
}

describe.each(OPERATIONS)('%s of a server of the host', (operation) => {
  const name = 'config';

  it('is refused to whoever may not add it, and nothing of it changes', async () => {
    for (const policy of [{ mode: 'deny' }, { mode: 'allowlist' }, { mode: 'ask' }] as const) {
      await using rig = await rigOf(policy);
      const result = await rig.result(operation, { name });
      expect(result).toMatchObject({ isError: true });
      expect(result.content[0]?.text).toContain(`(rule: ${policy.mode})`);
      expect(result.content[0]?.text).toContain(
        'Do not work around this refusal. Tell the user: the operator of mcpmux can allow it',
      );
      expect(rig.registryRig.names).toEqual([name]);
      expect(rig.spawner.servers).toHaveLength(1);
      const action = operation.replace('_server', '');
      expect(rig.audited).toMatchObject([{ action, server: name, outcome: 'refused', rule: policy.mode }]);
    }
  });

  it('is done for whoever may add it, or has the right to manage', async () => {
    for (const policy of [{ mode: 'allow' }, { mode: 'allowlist', commands: [{ command: NODE }] }] as const) {
      await using rig = await rigOf(policy);
      expect(await rig.result(operation, { name })).not.toHaveProperty('isError');
    }
    for (const mode of ['deny', 'allowlist'] as const) {
      await using rig = await rigOf({ mode });
      rig.principal = { ...ANN, rights: ['manage'] };
      expect(await rig.result(operation, { name })).not.toHaveProperty('isError');
    }
  });

  it('is for a person to decide where its configuration cannot be used: no command can be compared', async () => {
    const broken = async (policy: AddPolicy): Promise<OwnToolsRig> => {
      const rig = await rigOf(policy);
      const { started, keep } = rig.registryRig.registry.add('broken', { problem: 'API_KEY is not set' });
      keep();
      await started.catch(() => undefined);
      return rig;
    };
    await using listed = await broken({ mode: 'allowlist', commands: [{ command: NODE }] });
    const refused = await listed.result(operation, { name: 'broken' });
    expect(refused.content[0]?.text).toContain('its configuration cannot be used (rule: allowlist)');
    await using asked = await broken({ mode: 'ask' });
    asked.userAnswers = { result: { action: 'decline' } };
    expect(await asked.result(operation, { name: 'broken' })).toMatchObject({ isError: true });
    expect(asked.asked[0]).toContain('"broken"');
  });

  it('is put to the user under the policy ask', async () => {
    await using rig = await rigOf({ mode: 'ask' });
    rig.userAnswers = { result: { action: 'decline' } };
    expect(await rig.result(operation, { name })).toMatchObject({ isError: true });
    rig.userAnswers = { result: { action: 'accept' } };
    expect(await rig.result(operation, { name })).not.toHaveProperty('isError');
    expect(rig.asked[0]).toContain('"config", which it has not added');
  });

  it('is done to the server that the user was asked about, and to no other of its name', async () => {
    await using rig = await rigOf({ mode: 'ask' });
    const { registry } = rig.registryRig;
    let other: Promise<unknown> | undefined;
    rig.onAsked = () => {
      void registry.remove(name);
      other = registry.add(name, { command: NODE }).started;
    };
    rig.userAnswers = { result: { action: 'accept' } };
    expect(await rig.result(operation, { name })).toMatchObject({ isError: true });
    await other;
    expect(registry.find(name)?.restartCount).toBe(0);
  });

  it('needs no right on stdio, but where the policy denies it', async () => {
    for (const mode of ['ask', 'allowlist'] as const) {
      await using rig = await rigOf({ mode });
      rig.isStdio = true;
      expect(await rig.result(operation, { name })).not.toHaveProperty('isError');
    }
    await using rig = await rigOf({ mode: 'deny' });
    rig.isStdio = true;
    expect(await rig.result(operation, { name })).toMatchObject({ isError: true });
  });

  it('needs no right for a server that the same principal has added', async () => {
    await using rig = await rigOf({ mode: 'deny' });
    await rig.registryRig.registry.add('mine', { command: NODE }, { addedBy: 'ann' }).started;
    expect(await rig.result(operation, { name: 'mine' })).not.toHaveProperty('isError');
  });
});

describe('reload_server of a failed server of the host', () => {
  const config = { command: NODE, args: ['kit.js'], env: { TOKEN: 'hunter22' } };

  async function failedIn(policy: AddPolicy): Promise<OwnToolsRig> {
    const rig = await rigOf(policy);
    const reread = (): RereadResult => ({ config });
    const failed = rig.registryRig.registry.add('broken', { problem: 'TOKEN is not set' }, { reread });
    failed.keep();
    await failed.started.catch(() => undefined);
    return rig;
  }

  it('shows the command that will run, without its secrets, and asks once, also with an approval', async () => {
    for (const approve of [false, true]) {
      await using rig = await failedIn({ mode: 'ask' });
      rig.userAnswers = { result: { action: 'accept' } };
      const reloaded = await rig.result('reload_server', { name: 'broken', approve });
      expect(reloaded).toMatchObject({ structuredContent: { status: 'running' } });
      expect(rig.asked).toHaveLength(1);
      expect(rig.asked[0]).toContain(`${quoteIfUnclear(NODE)} kit.js`);
      expect(rig.asked[0]).not.toContain('hunter22');
      expect(rig.asked[0]?.includes('will be approved')).toBe(approve);
    }
  });

  it('starts the configuration that was shown, though another one is read meanwhile', async () => {
    await using rig = await rigOf({ mode: 'ask' });
    let args = ['shown.js'];
    const reread = (): RereadResult => ({ config: { command: NODE, args } });
    const failed = rig.registryRig.registry.add('broken', { problem: 'TOKEN is not set' }, { reread });
    failed.keep();
    await failed.started.catch(() => undefined);
    rig.onAsked = () => void (args = ['other.js']);
    rig.userAnswers = { result: { action: 'accept' } };
    await rig.result('reload_server', { name: 'broken' });
    expect(rig.registryRig.registry.find('broken')?.config).toMatchObject({ args: ['shown.js'] });
  });

  it('tells the host that its new configuration is registered after the user has accepted, and never before', async () => {
    for (const action of ['decline', 'accept'] as const) {
      await using rig = await rigOf({ mode: 'ask' });
      let registrations = 0;
      const reread = (): RereadResult => ({ config, registered: () => void (registrations += 1) });
      const failed = rig.registryRig.registry.add('broken', { problem: 'TOKEN is not set' }, { reread });
      failed.keep();
      await failed.started.catch(() => undefined);
      rig.onAsked = () => expect(registrations).toBe(0);
      rig.userAnswers = { result: { action } };
      await rig.result('reload_server', { name: 'broken' });
      expect(registrations).toBe(action === 'accept' ? 1 : 0);
    }
  });

  it('is decided by the list of allowed commands where the configuration of now has one', async () => {
    const commands = [{ command: NODE, args: ['kit.js'], env: ['TOKEN'] }];
    await using allowed = await failedIn({ mode: 'allowlist', commands });
    expect(await allowed.result('reload_server', { name: 'broken' })).not.toHaveProperty('isError');
    await using refused = await failedIn({ mode: 'allowlist' });
    const result = await refused.result('reload_server', { name: 'broken', approve: true });
    expect(result.content[0]?.text).toContain('(rule: allowlist)');
    expect(refused.asked).toEqual([]);
  });
});
