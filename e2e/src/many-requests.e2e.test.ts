import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import type { RpcMessage } from './testing/json-rpc.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const REQUESTS = 500;

/** A kind of request, and what its answer is known by. */
interface Kind {
  readonly method: string;
  readonly params?: (index: number) => object;
  readonly isAnswer: (response: RpcMessage, index: number) => boolean;
}

const tool = (name: string, args: (index: number) => object): Pick<Kind, 'method' | 'params'> => ({
  method: 'tools/call',
  params: (index) => ({ name, arguments: args(index) }),
});

const KINDS: readonly Kind[] = [
  { method: 'ping', isAnswer: ({ result }) => JSON.stringify(result) === '{}' },
  { method: 'tools/list', isAnswer: ({ result }) => Array.isArray(result?.['tools']) },
  {
    ...tool('busy__echo', (index) => ({ message: `m${index}` })),
    isAnswer: (response, index) => textOf(response) === `m${index}`,
  },
  { method: 'no/such/method', isAnswer: ({ error }) => error?.code === -32601 },
  { ...tool('add_server', () => ({ name: 7 })), isAnswer: ({ result }) => result?.['isError'] === true },
  {
    ...tool('add_server', () => ({ name: 'busy', ...fixtureServer('echo') })),
    isAnswer: ({ result }) => result?.['isError'] === true,
  },
  { ...tool('busy__nothing', () => ({})), isAnswer: ({ error }) => error?.code === -32602 },
];

function kindOf(index: number): Kind {
  const kind = KINDS[index % KINDS.length];
  if (kind === undefined) throw new Error('there are no kinds');
  return kind;
}

/** Numbers and strings by turns; the strings are the digits of other requests' numbers. */
function idOf(index: number): number | string {
  return index % 2 === 0 ? 1000 + index : String(1000 + index - 1);
}

it('M9: of 500 mixed requests sent at once, each is answered once, under its id and its type', async () => {
  await using cli = new RawCli({ args: ['--log-level', 'error'] });
  await cli.initialize();
  await cli.call('add_server', { name: 'busy', ...fixtureServer('echo') });
  const before = cli.messages.length;
  const indexes = Array.from({ length: REQUESTS }, (_, index) => index);
  const lines = indexes.map((index) => {
    const { method, params } = kindOf(index);
    return JSON.stringify({ jsonrpc: '2.0', id: idOf(index), method, params: params?.(index) });
  });
  cli.write(lines.join('\n'));
  const answers = (): RpcMessage[] => cli.messages.slice(before).filter(({ id }) => id !== undefined);
  await cli.until(() => (answers().length >= REQUESTS ? true : undefined));
  // answered after all of them: a second answer to one would be there by now
  await cli.request('ping', {}, 'last');
  const byId = new Map(answers().map((answer) => [answer.id, answer]));
  expect(byId.size).toBe(REQUESTS + 1);
  expect(answers()).toHaveLength(REQUESTS + 1);
  const wrong = indexes.filter((index) => {
    const answer = byId.get(idOf(index));
    return answer === undefined || !kindOf(index).isAnswer(answer, index);
  });
  expect(wrong).toEqual([]);
});
