import { describe, expect, it } from 'vitest';

import type { JsonObject, Outcome, Pair } from '../outcome.js';
import { explained, RULES, type RuleName } from './rules.js';

const SERVER = 'ev';

function result(to: string, members: JsonObject): Outcome {
  return [{ kind: 'result', to, result: members }];
}

function request(method: string, params: JsonObject): Outcome {
  return [{ kind: 'request', method, params }];
}

function message(params: JsonObject): Outcome {
  return [{ kind: 'notification', method: 'notifications/message', params }];
}

function returned(text: string): Outcome {
  return result('tools/call', { content: [{ type: 'text', text }] });
}

function task(taskId: string): Outcome {
  return result('tasks/get', { taskId });
}

interface Example {
  /** What the rule explains. */
  readonly explains: Pair;
  /** What looks alike and stays a difference. */
  readonly leaves: Pair;
}

function handshake(member: string, direct: JsonObject | string, through: JsonObject | string): Pair {
  return {
    direct: result('initialize', { [member]: direct }),
    through: result('initialize', { [member]: through }),
  };
}

const ADDED = result('tools/call', { structuredContent: { instructions: 'use it' } });

const EXAMPLES: Readonly<Record<RuleName, Example>> = {
  capabilities: {
    explains: handshake('capabilities', { tools: {} }, { tools: { listChanged: true }, logging: {} }),
    leaves: handshake('capabilities', { tools: {}, logging: {} }, { tools: {} }),
  },
  'late extensions': {
    explains: handshake('capabilities', { tools: {}, experimental: { k: {} } }, { tools: {} }),
    leaves: handshake('capabilities', { tools: {}, logging: {} }, { tools: {} }),
  },
  'server info': {
    explains: handshake('serverInfo', { name: 'x' }, { name: 'mcpmux' }),
    leaves: handshake('serverInfo', { name: 'x' }, { name: 'y' }),
  },
  instructions: {
    explains: {
      direct: result('initialize', { instructions: 'use it' }),
      through: [...result('initialize', { instructions: 'of mcpmux' }), ...ADDED],
    },
    leaves: handshake('instructions', 'use it', 'of mcpmux'),
  },
  'own tools': {
    explains: {
      direct: result('tools/list', { tools: [{ name: 'ev__get' }] }),
      through: result('tools/list', { tools: [{ name: 'add_server' }, { name: 'ev__get' }] }),
    },
    leaves: {
      direct: result('tools/list', { tools: [{ name: 'ev__get' }] }),
      through: result('tools/list', { tools: [{ name: 'add_server' }] }),
    },
  },
  prefix: {
    explains: {
      direct: result('prompts/list', { prompts: [{ name: 'get', title: 'ev__' }] }),
      through: result('prompts/list', { prompts: [{ name: 'ev__get', title: 'ev__' }] }),
    },
    leaves: {
      direct: result('prompts/list', { prompts: [{ name: 'get' }] }),
      through: result('prompts/list', { prompts: [{ name: 'other__get' }] }),
    },
  },
  'merged lists': {
    explains: {
      direct: result('tasks/list', { _meta: {}, tasks: [{ taskId: 't' }] }),
      through: result('tasks/list', { tasks: [{ taskId: 't' }] }),
    },
    leaves: {
      direct: result('tasks/list', { _meta: {}, tasks: [{ taskId: 't' }] }),
      through: result('tasks/list', { tasks: [] }),
    },
  },
  'one page': {
    explains: {
      direct: [
        ...result('tools/list', { tools: [1], nextCursor: '' }),
        ...result('tools/list', { tools: [2] }),
      ],
      through: result('tools/list', { tools: [1, 2] }),
    },
    leaves: {
      direct: [
        ...result('tools/list', { tools: [1], nextCursor: '' }),
        ...result('tools/list', { tools: [2] }),
      ],
      through: result('tools/list', { tools: [2, 1] }),
    },
  },
  'elicitation label': {
    explains: {
      direct: request('elicitation/create', { message: 'well?' }),
      through: request('elicitation/create', { message: '[ev] well?' }),
    },
    leaves: {
      direct: request('elicitation/create', { message: 'well?' }),
      through: request('elicitation/create', { message: '[other] well?' }),
    },
  },
  'sampling label': {
    explains: {
      direct: request('sampling/createMessage', { maxTokens: 1 }),
      through: request('sampling/createMessage', { maxTokens: 1, _meta: { 'dev.mcpmux/server': 'ev' } }),
    },
    leaves: {
      direct: request('sampling/createMessage', { _meta: { k: 'v' } }),
      through: request('sampling/createMessage', { _meta: { 'dev.mcpmux/server': 'ev' } }),
    },
  },
  'logger label': {
    explains: {
      direct: [...message({ data: 1 }), ...message({ logger: 'db', data: 1 })],
      through: [...message({ logger: 'ev', data: 1 }), ...message({ logger: 'ev/db', data: 1 })],
    },
    leaves: { direct: message({ data: 1 }), through: message({ data: 1, logger: 'evil' }) },
  },
  'task ids': {
    explains: { direct: task('t'), through: task('mux1:ev:t') },
    leaves: { direct: task('t'), through: task('mux1:other:t') },
  },
  'request ids': {
    explains: {
      direct: result('x/y', { received: '{"id":"raw-1","n":1.0}' }),
      through: result('x/y', { received: '{"id":7,"n":1.0}' }),
    },
    leaves: {
      direct: result('x/y', { received: '{"id":"raw-1","n":1.0}' }),
      through: result('x/y', { received: '{"id":7,"n":1}' }),
    },
  },
  'progress token': {
    explains: {
      direct: request('x/y', { _meta: { progressToken: 0 } }),
      through: request('x/y', { _meta: { progressToken: 'mux-1' } }),
    },
    leaves: {
      direct: request('x/y', { _meta: { progressToken: 0 } }),
      through: request('x/y', { _meta: {} }),
    },
  },
  environment: {
    explains: {
      direct: result('tools/call', { text: '{\n  "A": "1"\n}' }),
      through: result('tools/call', { text: '{\n  "A": "1",\n  "MCPMUX_CHILD": "x:1"\n}' }),
    },
    leaves: {
      direct: result('tools/call', { text: '{\n  "A": "1"\n}' }),
      through: result('tools/call', { text: '{\n  "A": "2",\n  "MCPMUX_CHILD": "x:1"\n}' }),
    },
  },
  refusal: {
    explains: {
      direct: result('tools/call', { isError: true, content: [] }),
      through: [{ kind: 'error', to: 'tools/call', error: { code: -32602, message: 'no tool' } }],
    },
    leaves: {
      direct: result('tools/call', { isError: true, content: [] }),
      through: result('tools/call', { content: [] }),
    },
  },
  'local ping': {
    explains: { direct: request('ping', {}), through: [] },
    leaves: { direct: request('roots/list', {}), through: [] },
  },
  'cached roots': {
    explains: {
      direct: [...request('roots/list', {}), ...returned('{"result":{},"id":1,"jsonrpc":"2.0"}')],
      through: returned('{"jsonrpc":"2.0","id":1,"result":{}}'),
    },
    leaves: { direct: request('ping', {}), through: [] },
  },
  chance: {
    explains: {
      direct: [...task('d737f8c03f82c5d6209ed957297a05b4'), ...message({ data: 'at 7:56:38 AM' })],
      through: [...task('72162c9048e73de1711bc412c91376d2'), ...message({ data: 'at 11:00:01 PM' })],
    },
    leaves: { direct: message({ data: 'at seven' }), through: message({ data: 'at eight' }) },
  },
};

describe.each(Object.entries(EXAMPLES))('the rule %s', (name, { explains, leaves }) => {
  it('explains its difference', () => {
    expect(explains.through).not.toEqual(explains.direct);
    const { direct, through } = explained(explains, [name as RuleName], SERVER);
    expect(through).toEqual(direct);
  });

  it('explains nothing else', () => {
    const { direct, through } = explained(leaves, [name as RuleName], SERVER);
    expect(through).not.toEqual(direct);
  });

  it('is filed under its own name', () => {
    expect(RULES[name as RuleName].name).toBe(name);
  });
});
