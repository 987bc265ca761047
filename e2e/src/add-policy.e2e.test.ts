import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText } from './testing/tool-response.js';

/** What `list_servers` says of these clients. */
const LEGACY = { era: 'legacy', protocol_version: '2025-11-25' };

const ECHO = fixtureServer('echo');

/** A client of the SDK whose user is asked, and always gives the same answer. */
class AskedUser implements AsyncDisposable {
  readonly questions: string[] = [];
  private readonly client = new Client({ name: 'e2e', version: '1' }, { capabilities: { elicitation: {} } });

  static async connected(args: readonly string[], action: ElicitResult['action']): Promise<AskedUser> {
    const user = new AskedUser();
    user.client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => {
      user.questions.push(message);
      return { action };
    });
    const command = { command: NODE, args: [CLI, '--log-level', 'error', ...args], env: cleanEnvironment() };
    await user.client.connect(new StdioClientTransport(command));
    return user;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    return JSON.stringify(await this.client.callTool({ name, arguments: args }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** mcpmux under a policy, with a client that cannot ask its user. */
async function withPolicy(...args: readonly string[]): Promise<RawCli> {
  const mcpmux = new RawCli({ args: ['--log-level', 'info', ...args] });
  await mcpmux.initialize();
  return mcpmux;
}

async function servers(mcpmux: RawCli): Promise<unknown> {
  return (await mcpmux.call('list_servers')).result?.['structuredContent'];
}

describe('mcpmux under a policy', () => {
  it('E11: allowlist refuses what is not in it, by name of the rule, and starts what is', async () => {
    const listed = JSON.stringify(ECHO);
    await using mcpmux = await withPolicy('--add-policy', 'allowlist', '--allow-command', listed);
    const refused = failureText(
      await mcpmux.call('add_server', { name: 'x', command: 'sh', args: ['-c', 'x'] }),
    );
    expect(refused).toContain('not in the list of allowed commands (rule: allowlist)');
    const more = { name: 'x', ...ECHO, env: { NODE_OPTIONS: '--title=x' } };
    expect(failureText(await mcpmux.call('add_server', more))).toContain('variables NODE_OPTIONS');
    await expect(servers(mcpmux)).resolves.toEqual({ servers: [], client: LEGACY });
    await mcpmux.call('add_server', { name: 'x', ...ECHO });
    await expect(servers(mcpmux)).resolves.toMatchObject({ servers: [{ name: 'x', status: 'running' }] });
  });

  it('E11: deny refuses everything', async () => {
    await using mcpmux = await withPolicy('--add-policy', 'deny');
    const refused = failureText(await mcpmux.call('add_server', { name: 'x', ...ECHO }));
    expect(refused).toContain('(rule: deny)');
    await expect(servers(mcpmux)).resolves.toEqual({ servers: [], client: LEGACY });
  });

  it('E11: ask refuses for a client that cannot ask', async () => {
    await using mcpmux = await withPolicy('--add-policy', 'ask');
    const refused = failureText(await mcpmux.call('add_server', { name: 'x', ...ECHO }));
    expect(refused).toContain('has not declared the capability elicitation (rule: ask)');
  });

  it('E11: ask starts what the user accepts, who sees the whole command and no secret', async () => {
    await using user = await AskedUser.connected(['--add-policy', 'ask'], 'accept');
    const args = [...ECHO.args, '--token', 'canary-77'];
    const answer = await user.call('add_server', { name: 'x', ...ECHO, args, env: { KEY: 'canary-88' } });
    expect(answer).toContain('x__echo');
    expect(user.questions).toHaveLength(1);
    expect(user.questions[0]).toContain(`${ECHO.args.join(' ')} --token [redacted]`);
    expect(user.questions[0]).toContain('Environment variables that it sets: KEY=[redacted]\n');
    expect(user.questions[0]).not.toContain('canary');
    await expect(user.call('list_servers')).resolves.not.toContain('canary');
  });

  it.each([
    ['decline', 'the user declined it'],
    ['cancel', 'the user gave no answer'],
  ] as const)('E11: ask starts nothing when the user answers %s', async (action, reason) => {
    await using user = await AskedUser.connected(['--add-policy', 'ask'], action);
    await expect(user.call('add_server', { name: 'x', ...ECHO })).resolves.toContain(`${reason} (rule: ask)`);
    await expect(user.call('list_servers')).resolves.not.toContain('"name":"x"');
  });

  it('E11: ask starts what is in the list without asking', async () => {
    const listed = [ECHO.command, ...ECHO.args].join(' ');
    await using user = await AskedUser.connected(
      ['--add-policy', 'ask', '--allow-command', listed],
      'decline',
    );
    await expect(user.call('add_server', { name: 'x', ...ECHO })).resolves.toContain('x__echo');
    expect(user.questions).toEqual([]);
  });
});
