import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText } from './testing/tool-response.js';

const CONFIG = {
  mcpServers: { e: fixtureServer('echo') },
  guards: { approvals: { rules: [{ tools: ['slow_echo'], ask: false }, { servers: ['e'] }] } },
};
const CLIENT = { name: 'e2e', version: '1' };
const FORMS = { capabilities: { elicitation: {} } };
const HI = { name: 'e__echo', arguments: { message: 'hi' } };

interface Waiting {
  readonly id: string;
  readonly pid: number;
  readonly tool: string;
  readonly arguments: string;
}

/** A client that shows no forms, and the mcpmux that it has started. */
async function formless(person: Person): Promise<RawCli> {
  const mcpmux = new RawCli({ env: person.environment, cwd: person.home });
  await mcpmux.initialize();
  // The first list waits for the server.
  await mcpmux.request('tools/list');
  return mcpmux;
}

/** Resolves to the only call that waits. */
async function waiting(person: Person, mcpmux: RawCli): Promise<Waiting> {
  await mcpmux.until(() => (mcpmux.stderr.includes('a call waits for an approval') ? true : undefined));
  let all: readonly Waiting[] = [];
  await expect
    .poll(async () => {
      all = (await person.json('approve')) as readonly Waiting[];
      return all.length;
    })
    .toBe(1);
  const [only] = all;
  if (only === undefined) throw new Error('no call waits');
  return only;
}

describe('E12: a call that needs an approval', () => {
  it('passes by mcpmux approve, once or for always, and not after --deny or --forget', async () => {
    await using person = await Person.arrive();
    await person.configure(CONFIG);
    {
      await using mcpmux = await formless(person);
      const call = mcpmux.call(HI.name, HI.arguments);
      const { id, tool, pid, arguments: args } = await waiting(person, mcpmux);
      expect({ tool, pid, args }).toEqual({ tool: 'echo', pid: mcpmux.child.pid, args: '{"message":"hi"}' });
      expect((await person.mcpmux('approve')).stdout).toContain(`${id}  e.echo`);
      expect(await person.mcpmux('approve', '1.1')).toMatchObject({ code: 6 });
      const allowed = await person.mcpmux('approve', id, '--for', 'always');
      expect(allowed).toMatchObject({ code: 0, stderr: 'Allowed e.echo\n' });
      expect((await call).result).toMatchObject({ content: [{ text: 'hi' }] });
      expect(await person.mcpmux('approve', id)).toMatchObject({ code: 6 });
    }
    await using mcpmux = await formless(person);
    expect((await mcpmux.call(HI.name, HI.arguments)).result).toMatchObject({ content: [{ text: 'hi' }] });
    const saved = await person.mcpmux('approve', '--saved');
    expect(saved.stdout).toMatch(/^[\da-f]{8} {2}e\.echo /);
    const [digest = ''] = saved.stdout.split(' ');
    expect(await person.mcpmux('approve', '--forget', digest)).toMatchObject({ code: 0 });
    const refused = mcpmux.call(HI.name, HI.arguments);
    const { id } = await waiting(person, mcpmux);
    expect(await person.mcpmux('approve', id, '--deny')).toMatchObject({
      code: 0,
      stderr: 'Refused e.echo\n',
    });
    expect(failureText(await refused)).toContain('the user declined it');
    const free = await mcpmux.call('e__slow_echo', { message: 'ho', delay_ms: 0 });
    expect(free.result).toMatchObject({ content: [{ text: 'ho' }] });
  });

  it('is asked about by a client of the legacy era', async () => {
    await using person = await Person.arrive();
    await person.configure(CONFIG);
    const client = new ClientV1(CLIENT, FORMS);
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: asked.length === 1 ? ('accept' as const) : ('decline' as const) };
    });
    await client.connect(new StdioV1(commandOf(person)));
    await client.listTools();
    expect(await client.callTool(HI)).toMatchObject({ content: [{ text: 'hi' }] });
    expect(await client.callTool(HI)).toMatchObject({ isError: true });
    expect(asked[0]).toContain('{"message":"hi"}');
    await client.close();
  });

  it('is asked about by a client of the modern era', async () => {
    await using person = await Person.arrive();
    await person.configure(CONFIG);
    const client = new ClientV2(CLIENT, { ...FORMS, versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: asked.length === 1 ? ('accept' as const) : ('decline' as const) };
    });
    await client.connect(new StdioV2(commandOf(person)));
    await client.listTools();
    expect(await client.callTool(HI)).toMatchObject({ content: [{ text: 'hi' }] });
    expect(await client.callTool(HI)).toMatchObject({ isError: true });
    expect(asked[0]).toContain('{"message":"hi"}');
    await client.close();
  });
});

function commandOf(person: Person) {
  const env = cleanEnvironment({ ...person.environment });
  return { command: NODE, args: [CLI, '--log-level', 'error'], env, cwd: person.home };
}
