import { describe, expect, it } from 'vitest';

import { resultAnswer } from '../guards/answers.js';
import type { NestedCalls } from '../guards/guard.js';
import { answerRequest } from './tool-request.js';

const NAMES = ['git__log', 'git__show', 'github__create_issue', 'github__list_issues'];

function calls(result: object = { content: [] }): NestedCalls {
  const tools = NAMES.map((name) => ({ name, definition: () => ({ inputSchema: { type: 'object' } }) }));
  return {
    tools: () => tools,
    tool: (name) => tools.find((tool) => tool.name === name),
    call: () => Promise.resolve(resultAnswer(result)),
    progress: () => undefined,
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

  it('takes time in the length of its pattern, not in its square', async () => {
    const begun = performance.now();
    await described(`${'*a'.repeat(50_000)}*b`);
    expect(performance.now() - begun).toBeLessThan(1000);
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
