import { describe, expect, it } from 'vitest';

import { RawDriver, textsOf } from './testing/raw-driver.js';

const ASK = { method: 'sampling/createMessage', params: { _meta: { progressToken: 0 }, messages: [] } };

describe('interactive', () => {
  it('ask sends a request and returns its progress and its response as they came', async () => {
    await using driver = new RawDriver('interactive');
    const asking = driver.start('tools/call', { name: 'ask', arguments: ASK });
    const { id, params } = await driver.message(({ method }) => method === ASK.method);
    expect([id, params]).toEqual([0, ASK.params]);
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0}}';
    const response = '{"id":0,  "result":{"role":"assistant","x":1.0},"jsonrpc":"2.0"}';
    driver.write(`${progress}\n${response}\n`);
    expect(textsOf(await driver.reply(asking))).toEqual([progress, response]);
  });

  it('ask_later answers its call before it asks; answers returns what came', async () => {
    await using driver = new RawDriver('interactive');
    await expect(driver.call('ask_later', { method: 'roots/list' })).resolves.toBe('asking');
    const { id } = await driver.message(({ method }) => method === 'roots/list');
    driver.send({ id, result: { roots: [] } });
    await driver.message(({ method }) => method === 'notifications/interactive/answered');
    await expect(driver.call('answers')).resolves.toContain('"roots":[]');
  });

  it('ask_and_cancel cancels its request at once and names its id', async () => {
    await using driver = new RawDriver('interactive');
    await expect(driver.call('ask_and_cancel', { method: 'roots/list' })).resolves.toBe('0');
    const cancelled = await driver.message(({ method }) => method === 'notifications/cancelled');
    expect(cancelled.params).toEqual({ requestId: 0, reason: 'changed my mind' });
  });

  it('notify sends a notification', async () => {
    await using driver = new RawDriver('interactive');
    const params = { elicitationId: 'e' };
    await driver.call('notify', { method: 'notifications/elicitation/complete', params });
    const { params: sent } = await driver.message(({ method }) => method?.includes('elicitation') === true);
    expect(sent).toEqual(params);
  });
});

describe('tasks', () => {
  it('runs work as a task, tells its status and answers tasks/result when it has ended', async () => {
    await using driver = new RawDriver('tasks');
    await expect(driver.call('work')).resolves.toBe('done at once');
    const started = await driver.request('tools/call', { name: 'work', task: { ttl: 5 } });
    expect(started.result).toMatchObject({ task: { taskId: 'task-1', status: 'working', ttl: 5 } });
    const result = driver.start('tasks/result', { taskId: 'task-1' });
    await expect(driver.call('finish', { taskId: 'task-1' })).resolves.toBe('finished');
    const reported = driver.lines.filter((line) => line.includes('notifications/tasks/status'));
    expect(reported.map((line) => JSON.parse(line).params.status)).toEqual(['working', 'completed']);
    expect(driver.lines.findIndex((line) => line.includes('"task":'))).toBeGreaterThan(
      driver.lines.indexOf(reported[0] ?? ''),
    );
    expect((await driver.reply(result)).result).toMatchObject({
      content: [{ text: 'task-1 completed' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } },
    });
  });

  it('lists and cancels tasks; an unknown one is an error', async () => {
    await using driver = new RawDriver('tasks');
    await driver.request('tools/call', { name: 'work', task: {} });
    const cancelled = await driver.request('tasks/cancel', { taskId: 'task-1' });
    expect(cancelled.result).toMatchObject({ status: 'cancelled' });
    const { result } = await driver.request('tasks/list');
    expect(result).toMatchObject({ tasks: [{ taskId: 'task-1', status: 'cancelled' }] });
    await expect(driver.request('tasks/get', { taskId: 'no' })).resolves.toMatchObject({
      error: { code: -32602 },
    });
  });

  it('ask sends an elicitation that names its task', async () => {
    await using driver = new RawDriver('tasks');
    await driver.request('tools/call', { name: 'work', task: {} });
    const asking = driver.start('tools/call', { name: 'ask', arguments: { taskId: 'task-1' } });
    const { id, params } = await driver.message(({ method }) => method === 'elicitation/create');
    expect(params).toMatchObject({
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } },
    });
    driver.send({ id, result: { action: 'decline' } });
    expect(textsOf(await driver.reply(asking))).toEqual([
      '{"jsonrpc":"2.0","id":0,"result":{"action":"decline"}}',
    ]);
  });
});
