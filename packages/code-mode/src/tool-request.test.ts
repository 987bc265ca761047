import { describe, expect, it } from 'vitest';
import { type NestedCalls, resultAnswer } from '@mcpmux/core';

import { answerRequest } from './tool-request.js';

const NAMES = ['git__log', 'git__show', 'github__create_issue', 'github__list_issues'];

function calls(result: object = { content: [] }): NestedCalls {
  const tools = NAMES.map((name) => ({ name, definition: { inputSchema: { type: 'object' } } }));
  return {
    listTools: () => tools,
    findTool: (name) => tools.find((tool) => tool.name === name),
    call: () => Promise.resolve(resultAnswer(result)),
    sendProgress: () => undefined,
  };
}

async function described(...patterns: readonly string[]): Promise<readonly string[]> {
  const request = {
    kind: 'request',
    id: 1,
    what: 'describe',
    subject: JSON.stringify(patterns),
    args: '',
  } as const;
  const text = String(JSON.parse(await answerRequest(request, calls(), {})));
  return NAMES.filter((name) => text.includes(`${name.split('__')[1]}(`));
}

function call(subject: string, args: string, result?: object): Promise<string> {
  return answerRequest({ kind: 'request', id: 1, what: 'call', subject, args }, calls(result), {});
}

describe('a description', () => {
  it.each([
    [['git'], ['git__log', 'git__show']],
    [['git*'], NAMES],
    [['*issue*'], ['github__create_issue', 'github__list_issues']],
    [
      ['git__log', 'github__create_issue'],
      ['git__log', 'github__create_issue'],
    ],
    [['*__*s*w'], ['git__show']],
    [['g*_*g'], ['git__log']],
    [['git__log*git__log'], []],
    [['none'], []],
  ])('has the tools that match %j', async (patterns, names) => {
    expect(await described(...patterns)).toEqual(names);
  });

  it('takes a bounded number of patterns of a bounded length: all clients wait while they are compared', async () => {
    const many = Array.from({ length: 33 }, () => '*q*x*');
    await expect(described(...many)).rejects.toThrow('describe() takes at most 32 patterns');
    await expect(described('*a'.repeat(101))).rejects.toThrow(
      'a pattern of describe() has at most 200 characters',
    );
    expect(await described(...many.slice(1))).toEqual([]);
  });
});

describe('a call of code', () => {
  it.each(['"text"', '[1]', '', '{"a":1},"b":{}', 'null'])(
    'needs an object as its arguments, not %s',
    async (args) => {
      await expect(call('git__log', args)).rejects.toThrow('not an object');
    },
  );

  it('fails for a tool that its client cannot call', async () => {
    await expect(call('secret__tool', '{}')).rejects.toThrow('there is no tool "secret__tool"');
  });

  it('fails for a tool that asks the user in its result', async () => {
    await expect(call('git__log', '{}', { resultType: 'input_required' })).rejects.toThrow(
      'outside of run_code',
    );
  });
});
