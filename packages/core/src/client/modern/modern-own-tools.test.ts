import { describe, expect, it } from 'vitest';

import { resultAnswer } from '../../guards/answers.js';
import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig } from '../../testing/sessions-rig.js';
import { COLLECT_MS } from './request-questions.js';

const NAMED = '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"mcpmux","version":"1"}}';
const FORMS = { capabilities: { elicitation: {} } };

function lastOf(lines: readonly string[]): { readonly result?: Readonly<Record<string, unknown>> } {
  return JSON.parse(lines.at(-1) ?? '{}') as { readonly result?: Readonly<Record<string, unknown>> };
}

describe('a tool of mcpmux itself', () => {
  it('asks the user of a client of the modern era in the answer of its call', async () => {
    const rig = new SessionsRig();
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', { name: 'own_tool' }, FORMS));
    const { context, resolve } = rig.ownTools.last;
    expect(context.client.takesForms).toBe(true);
    const answered = context.client.elicit({ message: 'Sure?' }, context.signal);
    rig.clock.advance(COLLECT_MS);
    await client.exchange();
    const { result } = lastOf(client.lines);
    expect(result).toMatchObject({
      inputRequests: { r1: { method: 'elicitation/create', params: { message: 'Sure?' } } },
    });
    const retry = {
      name: 'own_tool',
      inputResponses: { r1: { action: 'accept' } },
      requestState: result?.['requestState'],
    };
    await client.exchange(modernLine('2', 'tools/call', retry, FORMS));
    await expect(answered).resolves.toEqual({ result: { action: 'accept' } });
    resolve('{"content":[]}');
    await client.exchange();
    expect(client.lines.at(-1)).toBe(
      `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete",${NAMED},"content":[]}}`,
    );
  });

  it('gets no answer when nobody comes back', async () => {
    const rig = new SessionsRig();
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', { name: 'own_tool' }, FORMS));
    const { context } = rig.ownTools.last;
    const answered = context.client.elicit({ message: 'Sure?' }, context.signal);
    rig.clock.advance(COLLECT_MS);
    await client.leave();
    await expect(answered).resolves.toHaveProperty('problem');
    expect(context.signal.aborted).toBe(true);
  });

  it('is not continued by a state that mcpmux has not made', async () => {
    const rig = new SessionsRig();
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', { name: 'own_tool', requestState: 'x' }, FORMS));
    expect(lastOf(client.lines)).toMatchObject({ error: { code: -32602 } });
    expect(rig.ownTools.calls).toEqual([]);
  });
});

describe('a guard around a request of the modern era', () => {
  it('answers in its place, and the answer is completed', async () => {
    const rig = new SessionsRig();
    rig.server('x', { tools: ['t'] });
    rig.guards.use({ methods: ['tools/call'], handle: () => resultAnswer(Buffer.from('{"content":[]}')) });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', { name: 'x__t' }));
    expect(client.lines).toEqual([
      `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",${NAMED},"content":[]}}`,
    ]);
  });

  it('answers with a list and says itself which server the list is from: the list is brought into its era', async () => {
    const rig = new SessionsRig();
    const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'guard', version: '2' }, more: 1 };
    const list = {
      tools: [{ name: 'a', inputSchema: {}, execution: { taskSupport: 'optional' } }],
      _meta: meta,
    };
    rig.guards.use({
      methods: ['tools/list'],
      handle: () => resultAnswer(Buffer.from(JSON.stringify(list))),
    });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/list'));
    expect(lastOf(client.lines).result).toEqual({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      tools: [{ name: 'a', inputSchema: {} }],
      _meta: meta,
    });
  });

  it('sees one request, however often its client is asked meanwhile', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const seen: string[] = [];
    rig.guards.use({
      handle: async ({ method, server: name }, next) => {
        seen.push(`${method} of ${name}`);
        const answer = await next();
        seen.push(answer.json.toString());
        return answer;
      },
    });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', { name: 'x__t' }, FORMS));
    await server.ask('5', 'elicitation/create', '{"message":"?"}');
    rig.clock.advance(COLLECT_MS);
    await client.exchange();
    const requestState = lastOf(client.lines).result?.['requestState'];
    const retry = { name: 'x__t', inputResponses: { r1: { action: 'accept' } }, requestState };
    await client.exchange(modernLine('2', 'tools/call', retry, FORMS));
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(seen).toEqual(['tools/call of x', '{"resultType":"complete","content":[]}']);
    expect(client.lines.at(-1)).toBe(
      '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}',
    );
  });

  it('does not see how mcpmux is discovered', async () => {
    const rig = new SessionsRig();
    rig.guards.use({
      handle: ({ method }) => {
        throw new Error(method);
      },
    });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'server/discover'), modernLine('2', 'tools/list'));
    expect(client.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 1, result: { resultType: 'complete' } },
      { id: 2, error: { code: -32603 } },
    ]);
  });
});
