import { describe, expect, it } from 'vitest';

import { ModernClient } from '../../testing/modern-client.js';
import { MuxClient } from '../../testing/mux-client.js';
import { MuxRig, textOf } from '../../testing/mux-rig.js';

async function rigWithTasks() {
  const rig = await MuxRig.open();
  const client = await MuxClient.initialized(rig.mux, { elicitation: { form: {} } });
  await rig.add('m', 'modern-tasks');
  return {
    rig,
    client,
    begin: (tool: string) =>
      client.request('tools/call', { name: `m__${tool}`, task: { ttl: 1000 }, arguments: {} }),
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

const TASK = { taskId: 'mux1:m:task-1' };
const RELATED = { 'io.modelcontextprotocol/related-task': TASK };

describe('tasks of a modern server for a client with a session', () => {
  it('are made and got in the words of its era', async () => {
    await using rig = await rigWithTasks();
    const { result } = await rig.begin('slow');
    const reported = { ...TASK, status: 'working', ttl: 60_000, pollInterval: 1 };
    expect(result).toMatchObject({ task: reported });
    expect(JSON.stringify(result)).not.toMatch(/ttlMs|pollIntervalMs|resultType/);
    const { result: got } = await rig.client.request('tasks/get', TASK);
    expect(got).toMatchObject(reported);
    expect(got).not.toHaveProperty('resultType');
  });

  it('are offered for every tool of a server that takes part in them', async () => {
    await using rig = await rigWithTasks();
    const { result } = await rig.client.request('tools/list');
    const { tools } = result as { tools: { name: string; execution?: unknown }[] };
    const slow = tools.find(({ name }) => name === 'm__slow');
    expect(slow).toMatchObject({ execution: { taskSupport: 'optional' } });
  });

  it('tell their client how they go on, and nobody else', async () => {
    await using rig = await rigWithTasks();
    const other = await MuxClient.initialized(rig.rig.mux, { elicitation: { form: {} } });
    await rig.begin('must');
    await rig.client.request('tasks/result', TASK);
    await rig.client.line((line) => line.includes('"method":"notifications/tasks/status"'));
    const [reported] = rig.client.notified('notifications/tasks/status');
    expect(reported).toMatchObject({ ...TASK, status: 'completed', ttl: 60_000 });
    expect(reported).not.toHaveProperty('ttlMs');
    await other.request('ping');
    expect(other.count('notifications/tasks/status')).toBe(0);
  });

  it('give their results as soon as they have ended', async () => {
    await using rig = await rigWithTasks();
    await rig.begin('must');
    const { result } = await rig.client.request('tasks/result', TASK);
    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }], _meta: RELATED });
    await expect(rig.client.request('tasks/get', TASK)).resolves.toMatchObject({
      result: { status: 'completed' },
    });
  });

  it('have failed where the tool says that its result is an error', async () => {
    await using rig = await rigWithTasks();
    await rig.begin('failing');
    await expect(rig.client.request('tasks/result', TASK)).resolves.toMatchObject({
      result: { isError: true },
    });
    await expect(rig.client.request('tasks/get', TASK)).resolves.toMatchObject({
      result: { status: 'failed' },
    });
    await rig.begin('broken');
    const broken = { taskId: 'mux1:m:task-2' };
    await expect(rig.client.request('tasks/result', broken)).resolves.toMatchObject({
      error: { code: -32_603, message: 'it broke' },
    });
  });

  it('put their questions to the client while it waits for the result', async () => {
    await using rig = await rigWithTasks();
    await rig.begin('confirm');
    const waiting = rig.client.request('tasks/result', TASK);
    const { id, params } = await rig.client.asked('elicitation/create');
    expect(params).toMatchObject({ message: '[m] Delete it?', _meta: RELATED });
    rig.client.answer(id, { action: 'accept', content: { confirm: true } });
    const { result } = await waiting;
    expect(JSON.parse(textOf(result))).toEqual({ sure: { action: 'accept', content: { confirm: true } } });
  });

  it('are cancelled for good, once', async () => {
    await using rig = await rigWithTasks();
    await rig.begin('slow');
    const { result } = await rig.client.request('tasks/cancel', TASK);
    expect(result).toMatchObject({ ...TASK, status: 'cancelled' });
    await expect(rig.client.request('tasks/get', TASK)).resolves.toMatchObject({
      result: { status: 'cancelled' },
    });
    await expect(rig.client.request('tasks/cancel', TASK)).resolves.toMatchObject({
      error: { code: -32_602 },
    });
    await expect(rig.client.request('tasks/result', TASK)).resolves.toHaveProperty('error');
  });

  it('are listed to their client, and to no other', async () => {
    await using rig = await rigWithTasks();
    await rig.begin('slow');
    await rig.begin('slow');
    const { result } = await rig.client.request('tasks/list');
    expect(result).toMatchObject({ tasks: [TASK, { taskId: 'mux1:m:task-2' }] });
    const other = await MuxClient.initialized(rig.rig.mux);
    await expect(other.request('tasks/list')).resolves.toMatchObject({ result: { tasks: [] } });
    await expect(other.request('tasks/get', TASK)).resolves.toMatchObject({ error: { code: -32_602 } });
  });

  it('have ended at once where the server makes none', async () => {
    await using rig = await rigWithTasks();
    const { result } = await rig.begin('greet');
    const { task } = result as { readonly task: { readonly taskId: string } };
    expect(task).toMatchObject({ status: 'completed' });
    const { taskId } = task;
    await expect(rig.client.request('tasks/get', { taskId })).resolves.toMatchObject({ result: task });
    const { result: kept } = await rig.client.request('tasks/result', { taskId });
    expect(kept).toMatchObject({
      content: [{ text: 'Hello' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    expect(kept).not.toHaveProperty('resultType');
  });
});

describe('a call without a task', () => {
  it('is followed to its end where the server insists on one', async () => {
    await using rig = await rigWithTasks();
    await expect(rig.client.call('m__slow')).resolves.toMatchObject({
      result: { content: [{ text: 'slow without a task' }] },
    });
    const { result } = await rig.client.call('m__must');
    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] });
    await expect(rig.client.call('m__broken')).resolves.toMatchObject({ error: { message: 'it broke' } });
    await expect(rig.client.call('m__stray')).resolves.toMatchObject({
      result: { content: [{ text: 'unasked' }] },
    });
  });

  it('asks the client for what the task needs', async () => {
    await using rig = await rigWithTasks();
    const waiting = rig.client.call('m__confirm');
    const { id } = await rig.client.asked('elicitation/create');
    rig.client.answer(id, { action: 'decline' });
    const { result } = await waiting;
    expect(JSON.parse(textOf(result))).toEqual({ sure: { action: 'decline' } });
  });

  it('cancels its task with the call', async () => {
    await using rig = await rigWithTasks();
    rig.client.send('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"m__confirm"}}');
    await rig.client.asked('elicitation/create');
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}');
    const { result } = await rig.client.call('m__heard');
    expect(JSON.stringify(result)).toContain('tasks/cancel');
  });

  it('of a modern client without tasks is followed as well', async () => {
    await using rig = await rigWithTasks();
    const modern = new ModernClient(rig.rig, {});
    const { result } = await modern.call('m__stray');
    expect(result).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'unasked' }] });
  });
});
