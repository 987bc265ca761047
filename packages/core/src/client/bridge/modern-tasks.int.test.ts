import { describe, expect, it } from 'vitest';

import { ModernClient } from '../../testing/modern-client.js';
import { MuxRig, textOf } from '../../testing/mux-rig.js';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } };

async function rigWithTasks() {
  const rig = await MuxRig.open();
  const client = new ModernClient(rig, TASKS);
  await rig.add('m', 'modern-tasks');
  return { rig, client, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('tasks of a modern server for a client of the same era', () => {
  it('mcpmux takes part in them', async () => {
    await using rig = await rigWithTasks();
    const { result } = await rig.client.request('server/discover');
    expect(result).toMatchObject({
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    });
  });

  it('are made, asked for and cancelled under ids that name the server', async () => {
    await using rig = await rigWithTasks();
    const { result: made } = await rig.client.call('m__slow');
    expect(made).toMatchObject({
      resultType: 'task',
      taskId: 'mux1:m:task-1',
      status: 'working',
      ttlMs: 60_000,
    });
    const taskId = 'mux1:m:task-1';
    const { result: got } = await rig.client.request('tasks/get', { taskId });
    expect(got).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
    const { result: cancelled } = await rig.client.request('tasks/cancel', { taskId });
    expect(cancelled).toEqual({ resultType: 'complete' });
    const { result: after } = await rig.client.request('tasks/get', { taskId });
    expect(after).toMatchObject({ taskId, status: 'cancelled' });
  });

  it('bring their questions with the name of the server, and their results as they are', async () => {
    await using rig = await rigWithTasks();
    await rig.client.call('m__confirm');
    const taskId = 'mux1:m:task-1';
    const { result: asking } = await rig.client.request('tasks/get', { taskId });
    expect(asking).toMatchObject({
      status: 'input_required',
      inputRequests: { sure: { params: { message: '[m] Delete it?' } } },
    });
    const inputResponses = { sure: { action: 'accept', content: { confirm: true } } };
    await expect(rig.client.request('tasks/update', { taskId, inputResponses })).resolves.toMatchObject({
      result: { resultType: 'complete' },
    });
    const { result: done } = await rig.client.request('tasks/get', { taskId });
    expect(done).toMatchObject({ taskId, status: 'completed' });
    expect(JSON.parse(textOf(done?.['result']))).toEqual(inputResponses);
  });

  it('are not for a request that does not declare the extension', async () => {
    await using rig = await rigWithTasks();
    const required = {
      code: -32_021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    };
    const { result } = await rig.client.call('m__slow', {}, {});
    expect(textOf(result)).toBe('slow without a task');
    await expect(rig.client.call('m__must', {}, {})).resolves.toMatchObject({ error: required });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      await expect(rig.client.request(method, { taskId: 'mux1:m:task-1' }, {})).resolves.toMatchObject({
        error: required,
      });
  });

  it('are unknown without their server, and are of all connections of their principal', async () => {
    await using rig = await rigWithTasks();
    for (const taskId of ['task-1', 'mux1:other:task-1'])
      await expect(rig.client.request('tasks/get', { taskId })).resolves.toMatchObject({
        error: { code: -32_602 },
      });
    await rig.client.call('m__slow');
    const another = new ModernClient(rig.rig, TASKS);
    await expect(another.request('tasks/get', { taskId: 'mux1:m:task-1' })).resolves.toMatchObject({
      result: { taskId: 'mux1:m:task-1' },
    });
  });

  it('are told of to those who listen', async () => {
    await using rig = await rigWithTasks();
    await rig.client.call('m__slow');
    await rig.client.call('m__slow');
    const taskIds = ['mux1:m:task-1', 'mux1:m:none', 'mux1:other:x'];
    rig.client.begin('subscriptions/listen', { notifications: { taskIds } });
    const acknowledged = await rig.client.client.line((line) => line.includes('/acknowledged'));
    expect(JSON.parse(acknowledged)).toMatchObject({
      params: { notifications: { taskIds: [taskIds[0], taskIds[1]] } },
    });
    await rig.client.call('m__finish', { taskId: 'task-2' });
    await rig.client.call('m__finish', { taskId: 'task-1' });
    await rig.client.client.line((line) => line.includes('notifications/tasks"'));
    expect(rig.client.client.notified('notifications/tasks')).toMatchObject([
      {
        taskId: 'mux1:m:task-1',
        status: 'completed',
        result: { content: [{ text: 'finished' }] },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 3 },
      },
    ]);
  });
});
