import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { LoginGate } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { AuthorizationServer } from '@mcpmux/testing/authorization-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MODES, type Era } from './testing/asking-client.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { Person } from './testing/person.js';

let server: RemoteServer;
let person: Person;
beforeEach(async () => {
  server = await RemoteServer.open();
  person = await Person.arrive();
  await person.configure({ mcpServers: { far: { url: server.url } } });
});
afterEach(async () => {
  await person[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

interface Question {
  readonly mode?: string;
  readonly url: string;
  readonly message: string;
  readonly elicitationId?: string;
}

/** An agent whose client opens urls. Its user does what the test says. */
class Agent implements AsyncDisposable {
  readonly asked: Question[] = [];
  readonly visited: string[] = [];
  stderr = '';
  user: (question: Question) => Promise<'accept' | 'decline'> = () => Promise.resolve('decline');

  private changed: () => void = () => undefined;

  private constructor(readonly client: Client) {}

  static async start(era: Era, elicitation: { url?: {}; form?: {} } = { url: {} }): Promise<Agent> {
    const mode = MODES[era];
    const client = new Client(
      { name: 'agent', version: '1' },
      { capabilities: { elicitation }, versionNegotiation: { mode } },
    );
    const agent = new Agent(client);
    if ('url' in elicitation)
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        agent.asked.push(params as Question);
        return { action: await agent.user(params as Question) };
      });
    if (era === 'legacy')
      client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
        agent.visited.push(params.elicitationId);
      });
    const transport = new StdioClientTransport({
      command: NODE,
      args: [CLI],
      env: cleanEnvironment({ ...person.environment }),
      cwd: person.home,
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => {
      agent.stderr += chunk.toString();
      agent.changed();
    });
    await client.connect(transport);
    return agent;
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const { content } = await this.client.callTool({ name, arguments: args });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  }

  /** Resolves when the log has this text. */
  async logged(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await new Promise<void>((resolve) => (this.changed = resolve));
  }

  reload(): Promise<string> {
    return this.call('reload_server', { name: 'far' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** The log of a server that could not start. */
const FAILED = 'needs a login';

/** Opens the page in a browser whose login asks nothing. */
async function logsIn({ url }: Question): Promise<'accept'> {
  await (await fetch(url)).text();
  return 'accept';
}

describe.each<Era>(['legacy', 'modern'])('a client of the %s era that opens urls', (era) => {
  it('gets the login page when the server starts, and the server is used', async () => {
    const gate = new LoginGate(server);
    await using agent = await Agent.start(era);
    agent.user = logsIn;
    await agent.logged(FAILED);
    expect(await agent.reload()).toContain('echo');
    expect(await agent.call('far__echo', { message: 'hi' })).toBe('hi');
    const [question] = agent.asked;
    expect(question).toMatchObject({
      mode: 'url',
      message: expect.stringContaining('"far" needs you to log in'),
    });
    expect(new URL(question?.url ?? '').pathname).toBe('/authorize');
    expect(agent.asked).toHaveLength(1);
    expect(agent.visited).toEqual(era === 'legacy' ? [question?.elicitationId] : []);
    expect(gate.asked.map((form) => form.get('grant_type'))).toEqual(['authorization_code']);
    // The url, which has the state of the login, is for the user alone.
    expect(agent.stderr).not.toContain(new URL(question?.url ?? '').searchParams.get('state') ?? '');
    // The login is saved for later processes.
    expect(await person.mcpmux('call', 'far.echo', 'message=hi')).toMatchObject({ stdout: 'hi\n' });
  });

  it('gets the page during a call whose login has ended, and calls again', async () => {
    const gate = new LoginGate(server);
    await using agent = await Agent.start(era);
    agent.user = logsIn;
    await agent.logged(FAILED);
    await agent.reload();
    gate.revoke();
    expect(await agent.call('far__echo', { message: 'hi' })).toContain(
      'The user has logged in since. Call again.',
    );
    expect(await agent.call('far__echo', { message: 'hi' })).toBe('hi');
    expect(agent.asked).toHaveLength(2);
  });

  it('gets the page of a code that works on any device, where the server has such codes', async () => {
    await using authorization = await AuthorizationServer.open({ device: {} });
    server.intercept = authorization.createGuard(server.url);
    await using agent = await Agent.start(era);
    const code = /[A-Z]{4}-[A-Z]{4}/;
    agent.user = async ({ message, url }) => {
      expect(new URL(url).origin).toBe(authorization.issuer);
      await authorization.answerLogin(code.exec(message)?.[0] ?? '');
      return 'accept';
    };
    await agent.logged(FAILED);
    expect(await agent.reload()).toContain('echo');
    expect(await agent.call('far__echo', { message: 'hi' })).toBe('hi');
  });

  it('whose user declines gets the error, and is not asked again by calls', async () => {
    const gate = new LoginGate(server);
    await using agent = await Agent.start(era);
    agent.user = logsIn;
    await agent.logged(FAILED);
    await agent.reload();
    gate.revoke();
    agent.user = () => Promise.resolve('decline');
    for (const _ of [1, 2])
      expect(await agent.call('far__echo', { message: 'hi' })).toContain('mcpmux login far');
    expect(agent.asked).toHaveLength(2);
    // A request to start the server again asks once more.
    expect(await agent.reload()).toContain('mcpmux login far');
    expect(agent.asked).toHaveLength(3);
  });

  it('gets the page in a call of a tool whose server could not start, and the call goes on', async () => {
    const gate = new LoginGate(server);
    await using before = await Agent.start(era);
    before.user = logsIn;
    await before.logged(FAILED);
    await before.reload();
    await before.client.close();
    gate.revoke();
    await using agent = await Agent.start(era);
    agent.user = logsIn;
    await agent.logged(FAILED);
    expect(await agent.call('far__echo', { message: 'hi' })).toBe('hi');
    expect(agent.asked).toHaveLength(1);
  });
});

it('a client that opens no urls gets the error with the command, as before', async () => {
  const gate = new LoginGate(server);
  await using agent = await Agent.start('legacy', { form: {} });
  expect(await agent.reload()).toContain('mcpmux login far');
  expect([...agent.asked, ...gate.authorized]).toEqual([]);
});
