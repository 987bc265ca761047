import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import { HttpClient } from './http-client.js';
import { publicLookup, type LookupAll } from './public-lookup.js';

const BODY = { maxMessageBytes: 1000, whenReadable: () => Promise.resolve() };

/** Answers every question with these addresses, one list after the other, the last for ever. */
function answering(...answers: readonly (readonly string[])[]): LookupAll {
  let count = 0;
  return (_host, _options, callback) => {
    const addresses = answers[Math.min(count, answers.length - 1)] ?? [];
    count += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

async function attempt(lookUp: LookupAll): Promise<{ problem: string; requests: number }> {
  await using server = await RemoteServer.open();
  const client = new HttpClient(BODY, publicLookup(lookUp));
  try {
    const answer = client.fetch(`http://public.example:${server.port}/mcp`);
    const problem = await answer.then(
      () => 'none',
      (error: unknown) => String(error),
    );
    return { problem, requests: server.requests.length };
  } finally {
    client.destroy();
  }
}

it.each([[['127.0.0.1']], [['1.1.1.1', '127.0.0.1']], [['::ffff:127.0.0.1']]])(
  'I17: a name that leads to %j is not connected to',
  async (addresses) => {
    const { problem, requests } = await attempt(answering(addresses));
    expect(problem).toContain('public.example resolves to an address of this machine');
    expect(requests).toBe(0);
  },
);

it('I17: a name without an address is told as one', async () => {
  expect((await attempt(answering([]))).problem).toContain('has no address');
});

it('I17: a name that does not exist is told as one', async () => {
  const nowhere: LookupAll = (host, _options, callback) =>
    callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
  expect((await attempt(nowhere)).problem).toContain('ENOTFOUND public.example');
});

it('I17: what is connected to is the address that was looked at, each time anew', () => {
  const lookUp = publicLookup(answering(['1.1.1.1', '2606:4700::1'], ['127.0.0.1']));
  const found: unknown[] = [];
  const take = (...answer: readonly unknown[]): void => void found.push(answer);
  lookUp('public.example', { all: true }, take);
  expect(found).toEqual([
    [
      null,
      [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    ],
  ]);
  lookUp('public.example', {}, take);
  expect(String(found[1])).toContain('resolves to an address of this machine');
});
