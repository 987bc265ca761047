import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { describe, expect, it } from 'vitest';

import type { ElicitAnswer } from '../../client/asks/server-requests.js';
import { FakeSpawner } from '../../testing/fake-server.js';
import { OwnToolsRig, type ToolResult } from '../../testing/own-tools-rig.js';
import { configToRegister } from './add-gate.js';
import { decideAdd, type AddPolicy } from './add-policy.js';

const NODE = process.execPath;
const SANDBOX: AddPolicy = { mode: 'sandbox' };
const ACCEPT: ElicitAnswer = { result: { action: 'accept', content: {} } };
const DECLINE: ElicitAnswer = { result: { action: 'decline' } };

async function attempt(policy: AddPolicy, args: object = {}, answer?: ElicitAnswer) {
  await using rig = new OwnToolsRig(new FakeSpawner(), policy);
  rig.userAnswers = answer;
  const given: object = 'url' in args ? args : { command: NODE, ...args };
  const result: ToolResult = await rig.result('add_server', { name: 'a', ...given });
  const listed = JSON.parse((await rig.result('list_servers')).content[0]?.text ?? '{}') as {
    readonly servers: readonly { readonly name: string; readonly sandbox?: string }[];
  };
  const config = rig.registryRig.registry.registeredServers()[0]?.config;
  return {
    text: result.content[0]?.text ?? '',
    isError: result.isError === true,
    asked: rig.asked,
    started: rig.spawner.servers.length,
    config,
    rules: rig.audited.map(({ rule }) => rule),
    status: listed.servers[0]?.sandbox,
  };
}

describe('add_server under the policy sandbox', () => {
  it('runs any command, confined as the policy says, without a question', async () => {
    const added = await attempt({ mode: 'sandbox', sandbox: { network: true } }, { args: ['x'] });
    expect(added).toMatchObject({ isError: false, started: 1, asked: [] });
    expect(added.config).toMatchObject({ sandbox: { network: true } });
    expect(added.status).toBe('a fake; network: all; writes: its working directory');
  });

  it('has no network by default', async () => {
    const { config, status } = await attempt(SANDBOX);
    expect(config).toMatchObject({ sandbox: { filesystem: {} } });
    expect(status).toContain('network: none');
  });

  it('gives an agent less where it asks for less', async () => {
    const asked = { sandbox: { network: false, filesystem: { denyRead: ['/data'] } } };
    const { config, asked: questions } = await attempt(
      { mode: 'sandbox', sandbox: { network: true } },
      asked,
    );
    expect(config).toMatchObject({
      sandbox: { network: false, filesystem: { denyRead: [resolve('/data')] } },
    });
    expect(questions).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a network', { sandbox: { network: true } }, 'It may reach the whole network'],
    [
      'a folder',
      { sandbox: { filesystem: { allowWrite: ['/srv'] } } },
      `It may change and delete the files in ${resolve('/srv')}.`,
    ],
    [
      'a secret',
      { sandbox: { filesystem: { allowRead: ['~/.ssh'] } } },
      `It may read ${join(homedir(), '.ssh')}`,
    ],
    ['no sandbox', { sandbox: 'off' }, 'It runs without a sandbox'],
    [
      'another working directory',
      { cwd: resolve('/srv') },
      `It may change and delete the files in ${resolve('/srv')}.`,
    ],
    [
      'the variables of mcpmux',
      { inheritEnv: 'all' },
      'It gets all variables of mcpmux, with the secrets in them.',
    ],
  ])(
    'asks the person who says no about %s, in plain words, and starts nothing',
    async (_, args, sentence) => {
      const { asked, started, text } = await attempt(SANDBOX, args, DECLINE);
      expect(asked[0]).toContain(`It asks for more than the sandbox of this mcpmux allows:\n- ${sentence}`);
      expect(started).toBe(0);
      expect(text).toContain('the user declined it (rule: sandbox)');
    },
  );

  it('gives more to a server that the person accepts', async () => {
    const { asked, config } = await attempt(SANDBOX, { sandbox: { network: true } }, ACCEPT);
    expect(asked[0]).toContain('Sandbox: network: all; writes: its working directory');
    expect(asked[0]).toContain('Accept to let it run in that sandbox.');
    expect(config).toMatchObject({ sandbox: { network: true } });
  });

  it('a server without a sandbox that the person accepts has none', async () => {
    const { config, status } = await attempt(SANDBOX, { sandbox: 'off' }, ACCEPT);
    expect(config).not.toHaveProperty('sandbox');
    expect(status).toBeUndefined();
  });

  it('refuses more where the client cannot ask', async () => {
    const { text, started } = await attempt(SANDBOX, { sandbox: { network: true } });
    expect(started).toBe(0);
    expect(text).toContain('has not declared the capability elicitation (rule: sandbox)');
  });

  it('connects to any url, whose name must lead to the public internet', async () => {
    const url = 'https://mcp.example.com/mcp';
    expect(decideAdd(SANDBOX, { url })).toEqual({ kind: 'allow', rule: 'sandbox' });
    expect(configToRegister({ url }, 'sandbox')).toEqual({ url, publicOnly: true });
  });

  it.each([
    ['http://localhost:1/mcp', 'on this computer or in your local network'],
    ['http://[::1]/mcp', 'on this computer or in your local network'],
    ['http://2130706433/mcp', 'on this computer or in your local network'],
    ['http://169.254.169.254/mcp', 'on this computer or in your local network'],
    ['http://nas.local/mcp', 'on this computer or in your local network'],
    ['http://', 'that mcpmux cannot read'],
  ])('asks the person about %s, which is not on the public internet', (url, sentence) => {
    const decision = decideAdd(SANDBOX, { url });
    expect(decision).toEqual({ kind: 'ask', rule: 'sandbox', rights: [expect.stringContaining(sentence)] });
  });

  it('connects to no local url that the person declines', async () => {
    const { asked, started, text } = await attempt(SANDBOX, { url: 'http://localhost:1/mcp' }, DECLINE);
    expect(asked[0]).toContain('- It connects to a server on this computer');
    expect(started).toBe(0);
    expect(text).toContain('the user declined it (rule: sandbox)');
  });

  // mcpmux has no sandbox on Windows, and compares the paths of POSIX
  it.skipIf(process.platform === 'win32')('asks the person about secrets of the host', async () => {
    const policy: AddPolicy = {
      mode: 'sandbox',
      sandbox: { filesystem: { allowWrite: ['/srv'] } },
      secrets: ['/srv/mcpmux'],
    };
    const asking = (path: string) =>
      attempt(policy, { sandbox: { filesystem: { allowWrite: [path] } } }, DECLINE);
    await expect(asking('/srv/data')).resolves.toMatchObject({ asked: [] });
    const { asked } = await asking('/srv/mcpmux');
    expect(asked[0]).toContain('- It may change and delete the files in /srv/mcpmux.');
  });

  it.each([
    [{ sandbox: { netwrk: true } }, 'sandbox: has no setting "netwrk"'],
    [{ sandbox: 'on' }, 'Invalid arguments for add_server: sandbox'],
    [{ url: 'https://a.example.com', sandbox: {} }, 'sandbox: cannot be given with url'],
  ])('refuses %j as arguments', async (args, problem) => {
    const { text, started } = await attempt(SANDBOX, args);
    expect(text).toContain(problem);
    expect(started).toBe(0);
  });
});

it('under allow, an agent may confine its own server', async () => {
  const { config } = await attempt({ mode: 'allow' }, { sandbox: {} });
  expect(config).toMatchObject({ sandbox: {} });
  await expect(attempt({ mode: 'allow' })).resolves.not.toHaveProperty('config.sandbox');
});
