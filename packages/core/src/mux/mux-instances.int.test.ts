import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { createMux } from '../index.js';
import { InstancesRig } from '../testing/instances-rig.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';

/** What `list_servers` says of these clients. */
const LEGACY = { era: 'legacy', protocol_version: '2025-11-25' };

const HUB_TOOLS = ['list_instances', 'connect_instance', 'disconnect_instance'];

/** The text of what a call says that cannot be carried out. */
async function refusal(answer: ReturnType<MuxClient['call']>): Promise<string> {
  const { result, error } = await answer;
  if (error !== undefined) return error.message;
  if (result?.['isError'] !== true) throw new Error('it was carried out');
  return textOf(result);
}

async function ownTools(client: MuxClient): Promise<readonly string[]> {
  const names = (await client.tools()).map(({ name }) => String(name));
  return names.filter((name) => !name.includes('__'));
}

describe('the tools for other instances', () => {
  it('H2: are listed where the host can find instances, connected or not, and nowhere else', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    const api = await rig.instance('api');
    await expect(ownTools(client)).resolves.toEqual(expect.arrayContaining(HUB_TOOLS));
    await client.manage('connect_instance', { instance_id: api.id });
    await expect(ownTools(client)).resolves.toEqual(expect.arrayContaining(HUB_TOOLS));
    await using mux = createMux();
    const other = await MuxClient.initialized(mux);
    await expect(ownTools(other)).resolves.not.toContain('list_instances');
    await expect(refusal(other.call('list_instances'))).resolves.toContain('Unknown tool "list_instances"');
  });

  it('H1: list_instances shows those that run, and what they are connected as', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    const [api, web] = [await rig.instance('api'), await rig.instance('web')];
    await client.manage('connect_instance', { instance_id: web.id, name: 'w' });
    await rig.end(api);
    await expect(client.manage('list_instances')).resolves.toEqual({
      instances: [
        {
          instance_id: web.id,
          name: 'web',
          pid: web.pid,
          started: web.started,
          root: '/home/web',
          connected_as: 'w',
        },
      ],
    });
  });

  it('H4: without a connection they say what to do first', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    await expect(refusal(client.call('disconnect_instance'))).resolves.toBe(
      'This session is connected to no instance. Call list_instances, then connect_instance.',
    );
    await expect(refusal(client.call('connect_instance', { instance_id: 'x' }))).resolves.toContain(
      'No instance with the id "x" runs. No other runs.',
    );
    await expect(refusal(client.call('api__echo__echo'))).resolves.toContain(
      'If another mcpmux instance has it, call list_instances and connect_instance',
    );
  });

  it('H9: arguments are checked, and each wrong one is named', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    await expect(refusal(client.call('connect_instance'))).resolves.toContain('instance_id: ');
    await expect(
      refusal(client.call('connect_instance', { instance_id: 'x'.repeat(101), other: 1 })),
    ).resolves.toMatch(/instance_id: .*arguments: /);
    await expect(refusal(client.call('list_instances', { all: true }))).resolves.toContain('arguments: ');
    await expect(refusal(client.call('disconnect_instance', { instance_id: 7 }))).resolves.toContain(
      'instance_id: ',
    );
  });

  it('H9: a session has no more connections than the limit', async () => {
    await using rig = await InstancesRig.open({}, { maxInstancesPerClient: 1 });
    const client = await rig.client();
    const [api, web] = [await rig.instance('api'), await rig.instance('web')];
    await client.manage('connect_instance', { instance_id: api.id });
    await expect(refusal(client.call('connect_instance', { instance_id: web.id }))).resolves.toContain(
      'connected to 1 instances, which is the limit',
    );
    await client.manage('disconnect_instance');
    await expect(client.manage('connect_instance', { instance_id: web.id })).resolves.toMatchObject({
      name: 'web',
      status: 'running',
    });
  });

  it.each(['deny', 'allowlist'] as const)('are refused to agents under the policy %s', async (mode) => {
    await using rig = await InstancesRig.open({ addPolicy: { mode } });
    const client = await rig.client();
    const api = await rig.instance('api');
    await expect(refusal(client.call('list_instances'))).resolves.toContain(`(rule: ${mode})`);
    await expect(refusal(client.call('connect_instance', { instance_id: api.id }))).resolves.toContain(
      `(rule: ${mode})`,
    );
  });

  it('under the policy ask, the user decides about a connection', async () => {
    await using rig = await InstancesRig.open({ addPolicy: { mode: 'ask' } });
    const client = await rig.client({ elicitation: {} });
    const api = await rig.instance('api');
    const answer = client.call('connect_instance', { instance_id: api.id });
    const { id, params } = await client.asked('elicitation/create');
    expect(String(params['message'])).toContain('/home/api');
    client.answer(id, { action: 'decline' });
    await expect(refusal(answer)).resolves.toContain('the user declined it');
  });
});

it('the question about a connection escapes what a reader does not see', async () => {
  await using rig = await InstancesRig.open({ addPolicy: { mode: 'ask' } });
  const client = await rig.client({ elicitation: {} });
  const api = await rig.instance('a\u202eb\u200b');
  const answer = client.call('connect_instance', { instance_id: api.id });
  const { id, params } = await client.asked('elicitation/create');
  expect(String(params['message'])).toContain(String.raw`/home/a\u{202e}b\u{200b}`);
  client.answer(id, { action: 'decline' });
  await expect(refusal(answer)).resolves.toContain('the user declined it');
});

describe('a connected instance', () => {
  it('H3: has its tools, prompts and resources listed beside those of the hub, under its name', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    const api = await rig.instance('api', 'echo', 'prompts-many', 'resources-many');
    const connected = await client.manage('connect_instance', { instance_id: api.id });
    expect(connected).toMatchObject({ name: 'api', status: 'running' });
    const tools = await client.serverTools();
    expect(tools).toEqual(
      expect.arrayContaining(['api__echo__echo', 'api__echo__slow_echo', 'api__resources-many__link']),
    );
    expect((connected['tools'] as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(
      tools,
    );
    const { result: prompts } = await client.request('prompts/list');
    expect(JSON.stringify(prompts)).toContain('api__prompts-many__');
    const { result: read } = await client.request('resources/read', { uri: 'memo:one' });
    expect(JSON.stringify(read)).toContain('memo:one');
    const { result } = await client.call('api__echo__echo', { message: 'through two' });
    expect(textOf(result)).toBe('through two');
  });

  it('H3: the hub wins names: its own tools, its servers, and the bare names of their tools', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    await rig.mux.addServer('api', fixtureCommand('echo'));
    const api = await rig.instance('api', 'echo');
    await expect(
      refusal(client.call('connect_instance', { instance_id: api.id, name: 'api' })),
    ).resolves.toContain('exists already');
    await expect(client.manage('connect_instance', { instance_id: api.id })).resolves.toMatchObject({
      name: 'api-2',
    });
    await expect(client.serverTools()).resolves.toEqual([
      'api__echo',
      'api__slow_echo',
      'api-2__echo__echo',
      'api-2__echo__slow_echo',
    ]);
    const { result } = await client.call('echo', { message: 'bare' });
    expect(textOf(result)).toBe('bare');
    const own = await client.manage('list_servers');
    expect((own['servers'] as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
      'api',
      'api-2',
    ]);
    // The instance's own tools are called by their whole name.
    const { result: there } = await client.call('api-2__list_servers');
    expect(JSON.stringify(there)).toContain('"name":"echo"');
  });

  it('H5: is seen by its own session alone; ending the connection or the session takes it away', async () => {
    await using rig = await InstancesRig.open();
    const [one, two] = [await rig.client(), await rig.client()];
    const [api, web] = [await rig.instance('api', 'echo'), await rig.instance('web', 'progress')];
    await one.manage('connect_instance', { instance_id: api.id, name: 'x' });
    await two.manage('connect_instance', { instance_id: web.id, name: 'x' });
    await expect(one.serverTools()).resolves.toEqual(['x__echo__echo', 'x__echo__slow_echo']);
    await expect(two.serverTools()).resolves.toEqual(['x__progress__count']);
    await expect(refusal(two.call('x__echo__echo', { message: 'm' }))).resolves.toContain('Unknown tool');
    await expect(one.manage('disconnect_instance', { instance_id: api.id })).resolves.toEqual({
      name: 'x',
      instance_id: api.id,
      disconnected: true,
    });
    await expect(one.serverTools()).resolves.toEqual([]);
    await expect(refusal(one.call('x__echo__echo', { message: 'm' }))).resolves.toContain('Unknown tool');
    await expect(two.serverTools()).resolves.toEqual(['x__progress__count']);
    two.end();
    await two.session.closed;
    await expect(one.manage('list_instances')).resolves.not.toHaveProperty('instances.0.connected_as');
    await expect(one.manage('list_servers')).resolves.toEqual({ servers: [], client: LEGACY });
  });

  it('H6: progress, cancellation and questions of its servers come through both', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client({ sampling: {} });
    const api = await rig.instance('api', 'progress', 'cancellable', 'interactive');
    await client.manage('connect_instance', { instance_id: api.id });
    client.send(
      '{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"api__progress__count","arguments":{"n":3},"_meta":{"progressToken":"t"}}}',
    );
    await client.responseLine('"p"');
    const reported = client
      .notified('notifications/progress')
      .filter(({ progressToken }) => progressToken === 't');
    expect(reported.map(({ progress }) => progress)).toEqual([1, 2, 3]);
    client.send(
      '{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"api__cancellable__wait","arguments":{}}}',
    );
    client.send(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w","reason":"r"}}',
    );
    const { result: cancelled } = await client.call('api__cancellable__cancelled');
    expect(textOf(cancelled)).toContain('"reason":"r"');
    const asking = client.call('api__interactive__ask', {
      method: 'sampling/createMessage',
      params: { messages: [], maxTokens: 1 },
    });
    const { id } = await client.asked('sampling/createMessage');
    client.answer(id, { role: 'assistant', model: 'm', content: { type: 'text', text: 'said' } });
    expect(textOf((await asking).result)).toContain('said');
  });

  it('H7: that goes down fails its calls with a reason, leaves the lists, and is disconnected', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    const api = await rig.instance('api', 'hold-calls');
    await client.manage('connect_instance', { instance_id: api.id });
    const held = client.call('api__hold-calls__hold', { key: 'k' });
    await client.listChanged(1);
    const before = client.count('notifications/tools/list_changed');
    await rig.end(api);
    await expect(refusal(held)).resolves.toMatch(/Server "api" cannot be reached: .*list_instances/s);
    await client.listChanged(before + 1);
    await expect(client.serverTools()).resolves.toEqual([]);
    await expect(refusal(client.call('api__hold-calls__hold'))).resolves.toContain('cannot be reached');
    await expect(refusal(client.call('connect_instance', { instance_id: api.id }))).resolves.toContain(
      'No instance with the id',
    );
    await expect(refusal(client.call('reload_server', { name: 'api' }))).resolves.toContain('has ended');
    await expect(client.manage('disconnect_instance')).resolves.toMatchObject({ name: 'api' });
  });

  it('H7: whose connection is lost is connected anew under the same name', async () => {
    await using rig = await InstancesRig.open();
    const client = await rig.client();
    const api = await rig.instance('api', 'echo');
    await client.manage('connect_instance', { instance_id: api.id, name: 'x' });
    rig.cut(api);
    await expect(refusal(client.call('x__echo__echo', { message: 'm' }))).resolves.toContain(
      'cannot be reached',
    );
    await expect(client.manage('connect_instance', { instance_id: api.id })).resolves.toMatchObject({
      name: 'x',
      status: 'running',
    });
    const { result } = await client.call('x__echo__echo', { message: 'again' });
    expect(textOf(result)).toBe('again');
  });

  it('H8: sends large results as they are, and one above the limit is answered by an error', async () => {
    await using rig = await InstancesRig.open({ limits: { maxLineBytes: 2_000_000 } });
    const client = await rig.client();
    const api = await rig.instance('api', 'oversized');
    await client.manage('connect_instance', { instance_id: api.id });
    const { result } = await client.call('api__oversized__big', { bytes: 1_500_000 });
    expect(textOf(result).length).toBe(1_500_000);
    await expect(refusal(client.call('api__oversized__big', { bytes: 2_500_000 }))).resolves.toContain(
      'above the limit of 2000000',
    );
    await expect(client.call('api__oversized__big', { bytes: 10 })).resolves.toHaveProperty('result');
  });

  it('H8: that gives no sign of life for a call in time has the call given up with an error', async () => {
    await using rig = await InstancesRig.open({}, { instanceCallTimeoutMs: 100 });
    const client = await rig.client();
    const api = await rig.instance('api', 'hold-calls');
    await client.manage('connect_instance', { instance_id: api.id });
    await expect(refusal(client.call('api__hold-calls__hold', { key: 'k' }))).resolves.toContain(
      'sent no response and no progress for 0.1 s',
    );
  });

  it('H10: that answers no pings any more counts as lost', async () => {
    await using rig = await InstancesRig.open({}, { instancePingMs: 100 });
    const client = await rig.client();
    const api = await rig.instance('api', 'hold-calls');
    await client.manage('connect_instance', { instance_id: api.id });
    const held = client.call('api__hold-calls__hold', { key: 'k' });
    rig.hang(api);
    await expect(refusal(held)).resolves.toContain('did not answer 2 pings');
    await expect(client.serverTools()).resolves.toEqual([]);
  });
});
