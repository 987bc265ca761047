import { describe, expect, it } from 'vitest';

import { ModernClient } from '../../testing/modern-client.js';
import { MuxRig, textOf } from '../../testing/mux-rig.js';

const FORMS = { elicitation: { form: {} } };
const TASKS = { ...FORMS, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const TASK = { taskId: 'mux1:m:task-1' };

async function rigWithTasks() {
  const rig = await MuxRig.open();
  const client = new ModernClient(rig, TASKS);
  await rig.add('m', 'tasks-required');
  return { rig, client, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('tasks of a legacy server for a client of the modern era', () => {
  it('are made where the tool is run as a task alone, and bring the result of the call', async () => {
    await using rig = await rigWithTasks();
    const { result } = await rig.client.call('m__must');
    expect(result).toMatchObject({
      ...TASK,
      resultType: 'task',
      status: 'working',
      ttlMs: null,
      pollIntervalMs: 10,
    });
    const { result: working } = await rig.client.request('tasks/get', TASK);
    expect(working).toMatchObject({ ...TASK, resultType: 'complete', status: 'working' });
    expect(working).not.toHaveProperty('pollInterval');
    await rig.client.call('m__finish', { taskId: 'task-1' });
    const { result: done } = await rig.client.request('tasks/get', TASK);
    expect(done).toMatchObject({ ...TASK, resultType: 'complete', status: 'completed' });
    expect(done?.['result']).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'task-1 completed' }],
    });
  });

  it('show their questions, and take the answers', async () => {
    await using rig = await rigWithTasks();
    await rig.client.call('m__confirm');
    const { result: asking } = await rig.client.request('tasks/get', TASK);
    expect(asking).toMatchObject({
      status: 'input_required',
      inputRequests: { r1: { method: 'elicitation/create', params: { message: '[m] Delete it?' } } },
    });
    const { result: again } = await rig.client.request('tasks/get', TASK);
    expect(again?.['inputRequests']).toEqual(asking?.['inputRequests']);
    const inputResponses = { r1: { action: 'accept', content: { confirm: true } } };
    const { result: updated } = await rig.client.request('tasks/update', { ...TASK, inputResponses });
    const serverInfo = { name: 'mcpmux', version: '0.0.0' };
    const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
    expect(updated).toEqual({ resultType: 'complete', _meta: meta });
    const { result: answers } = await rig.client.call('m__answers');
    expect(JSON.parse(textOf(answers))).toMatchObject({ result: inputResponses.r1 });
    await expect(rig.client.request('tasks/get', TASK)).resolves.toMatchObject({
      result: { status: 'completed' },
    });
  });

  it('are cancelled, and that is no error when they have ended', async () => {
    await using rig = await rigWithTasks();
    await rig.client.call('m__must');
    const acknowledged = { result: { resultType: 'complete' } };
    await expect(rig.client.request('tasks/cancel', TASK)).resolves.toMatchObject(acknowledged);
    await expect(rig.client.request('tasks/get', TASK)).resolves.toMatchObject({
      result: { status: 'cancelled' },
    });
    await expect(rig.client.request('tasks/cancel', TASK)).resolves.toMatchObject(acknowledged);
    await expect(rig.client.request('tasks/cancel', { taskId: 'mux1:m:none' })).resolves.toMatchObject({
      error: { code: -32_602 },
    });
  });

  it('are waited for where the client takes none', async () => {
    await using rig = await rigWithTasks();
    const id = rig.client.begin('tools/call', { name: 'm__must', arguments: {} }, FORMS);
    await rig.client.call('m__finish', { taskId: 'task-1' });
    const done = JSON.parse(await rig.client.client.responseLine(id)) as { readonly result: unknown };
    expect(done.result).toMatchObject({ resultType: 'complete', content: [{ text: 'task-1 completed' }] });
  });

  it('put their questions into the answer of the call where the client takes none', async () => {
    await using rig = await rigWithTasks();
    const { result: asking } = await rig.client.call('m__confirm', {}, FORMS);
    expect(asking).toMatchObject({
      resultType: 'input_required',
      inputRequests: { r1: { params: { message: '[m] Delete it?' } } },
    });
    const retry = {
      name: 'm__confirm',
      arguments: {},
      inputResponses: { r1: { action: 'decline' } },
      requestState: asking?.['requestState'],
    };
    const { result } = await rig.client.request('tools/call', retry, FORMS);
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'task-1 completed' }] });
  });

  it('are told of to those who listen', async () => {
    await using rig = await rigWithTasks();
    await rig.client.call('m__must');
    rig.client.begin('subscriptions/listen', { notifications: { taskIds: [TASK.taskId] } });
    const acknowledged = await rig.client.client.line((line) => line.includes('/acknowledged'));
    expect(JSON.parse(acknowledged)).toMatchObject({ params: { notifications: { taskIds: [TASK.taskId] } } });
    await rig.client.call('m__finish', { taskId: 'task-1' });
    await rig.client.client.line((line) => line.includes('notifications/tasks"'));
    expect(rig.client.client.notified('notifications/tasks')).toMatchObject([
      {
        ...TASK,
        status: 'completed',
        result: { content: [{ text: 'task-1 completed' }] },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 2 },
      },
    ]);
    expect(rig.client.client.count('notifications/tasks/status')).toBe(0);
  });
});
