import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { HttpCli } from './testing/http-cli.js';
import { connectSse, connectV1, connectV2, HTTP_CLIENTS } from './testing/http-clients.js';

const ELICIT = {
  method: 'elicitation/create',
  params: {
    message: 'Which one?',
    requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
  },
};

describe.each(HTTP_CLIENTS)('%s over HTTP', (_, connect) => {
  it('adds a server, is told, lists and calls its tools, sees progress and ends its session', async () => {
    await using cli = await HttpCli.open();
    await using client = await connect(cli.url);
    const changed = client.nextListChanged();
    await client.call('add_server', { name: 'e', ...fixtureServer('echo') });
    await changed;
    expect(await client.tools()).toContain('e__echo');
    expect(await client.call('e__echo', { message: 'hello' })).toBe('hello');
    await client.call('add_server', { name: 'p', ...fixtureServer('progress') });
    const seen: number[] = [];
    await client.call('p__count', { n: 3 }, { onProgress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);
    await client.terminate();
    expect((await cli.send({ path: '/metrics' })).text).toContain('mcpmux_sessions 0');
  });

  it('is asked what the server of its call wants to know', async () => {
    await using cli = await HttpCli.open();
    await using client = await connect(cli.url, { elicit: () => 'this one' });
    await client.call('add_server', { name: 'i', ...fixtureServer('interactive') });
    expect(await client.call('i__ask', ELICIT)).toContain('this one');
  });
});

describe('two clients at the same time', () => {
  it('I7: equal ids and progress tokens of two clients reach their own client only', async () => {
    await using cli = await HttpCli.open();
    await using one = await connectV1(cli.url);
    await using two = await connectV2(cli.url);
    await one.call('add_server', { name: 'p', ...fixtureServer('progress') });
    await one.call('add_server', { name: 'e', ...fixtureServer('echo') });
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, step) => {
        const [client, own] = step % 2 === 0 ? ([one, 'one'] as const) : ([two, 'two'] as const);
        const seen: number[] = [];
        const n = step % 2 === 0 ? 2 : 3;
        await client.call('p__count', { n }, { onProgress: ({ progress }) => seen.push(progress) });
        return [
          await client.call('e__echo', { message: `${own} ${step}` }),
          `${own} ${step}`,
          seen.length,
          n,
        ] as const;
      }),
    );
    for (const [answer, own, seen, n] of answers) {
      expect(answer).toBe(own);
      expect(seen).toBe(n);
    }
  });

  it('both are told that tools have changed', async () => {
    await using cli = await HttpCli.open();
    await using one = await connectV1(cli.url);
    await using two = await connectV2(cli.url);
    // Whoever has asked something has spoken: before, a client has seen no list.
    await Promise.all([one.tools(), two.tools()]);
    const changed = [one.nextListChanged(), two.nextListChanged()];
    await two.call('add_server', { name: 'e', ...fixtureServer('echo') });
    await Promise.all(changed);
    expect(await one.tools()).toContain('e__echo');
  });

  it('a question goes to the client whose call caused it', async () => {
    await using cli = await HttpCli.open();
    await using one = await connectV1(cli.url, { elicit: () => 'answer of one' });
    await using two = await connectV2(cli.url, { elicit: () => 'answer of two' });
    await one.call('add_server', { name: 'i', ...fixtureServer('interactive') });
    expect(await two.call('i__ask', ELICIT)).toContain('answer of two');
    expect(await one.call('i__ask', ELICIT)).toContain('answer of one');
  });
});

describe('--sse', () => {
  it('a client of the deprecated transport calls tools of the same servers, and only with the flag', async () => {
    await using cli = await HttpCli.open({ args: ['--sse'] });
    await using one = await connectV1(cli.url);
    await one.call('add_server', { name: 'e', ...fixtureServer('echo') });
    expect(cli.stderr).toContain(`at ${new URL('/sse', cli.url).href}\n`);
    await using old = await connectSse(new URL('/sse', cli.url));
    expect(await old.tools()).toContain('e__echo');
    expect(await old.call('e__echo', { message: 'still spoken' })).toBe('still spoken');
    await using other = await HttpCli.open();
    expect(await other.send({ path: '/sse' })).toMatchObject({ status: 404 });
  });
});
