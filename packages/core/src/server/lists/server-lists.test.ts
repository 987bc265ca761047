import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { LIST_KINDS } from './list-kind.js';
import { readLists, type Listings } from './server-lists.js';

const ALL = { tools: {}, prompts: {}, resources: {} };

/** What the server says to a method: the member of the response, JSON. */
type Answers = Readonly<Record<string, string>>;

const ANSWERS: Answers = {
  'tools/list': '"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}',
  'prompts/list': '"result":{"prompts":[{"name":"p"}]}',
  'resources/list': '"result":{"resources":[{"name":"r","uri":"x:1"}]}',
  'resources/templates/list': '"result":{"resourceTemplates":[{"name":"r","uriTemplate":"x:{y}"}]}',
};

interface Reading {
  readonly listings: Promise<Listings>;
  readonly asked: readonly string[];
  readonly advance: (ms: number) => Promise<void>;
}

/** Reads the lists of a server that answers so; it is silent where there is no answer. */
async function read(capabilities: Record<string, unknown>, answers: Answers): Promise<Reading> {
  const { connection, server, clock } = connected();
  const limits = { ...DEFAULT_LIMITS, listTimeoutMs: 100 };
  const listings = readLists(connection, capabilities, limits, () => 1000);
  await nextTurn();
  const requests = server.received.map((line): { id: number; method: string } => JSON.parse(line));
  for (const { id, method } of requests) {
    const answer = answers[method];
    if (answer !== undefined) server.send(`{"jsonrpc":"2.0","id":${id},${answer}}`);
  }
  await nextTurn();
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await nextTurn();
  };
  return { listings, asked: requests.map(({ method }) => method), advance };
}

/** The keys and the warnings of every list. */
async function summary(listings: Promise<Listings>): Promise<unknown> {
  const lists = await listings;
  return Object.fromEntries(
    LIST_KINDS.map((kind) => [kind, [...lists[kind].items.map(({ key }) => key), ...lists[kind].warnings]]),
  );
}

describe('the lists of a server', () => {
  it('S1, S2: are asked for side by side, and all read', async () => {
    const { listings, asked } = await read(ALL, ANSWERS);
    expect(asked.toSorted()).toEqual(Object.keys(ANSWERS).toSorted());
    await expect(summary(listings)).resolves.toEqual({
      tools: ['t'],
      prompts: ['p'],
      resources: ['x:1'],
      resourceTemplates: ['x:{y}'],
    });
  });

  it.each([
    [{ tools: {} }, ['tools/list']],
    [{ prompts: {}, logging: {} }, ['prompts/list']],
    [{ resources: {} }, ['resources/list', 'resources/templates/list']],
  ])('S12: are not asked for without the capability: %j', async (capabilities, methods) => {
    const { listings, asked } = await read(capabilities, ANSWERS);
    await listings;
    expect(asked).toEqual(methods);
  });

  it.each([{}, { logging: {} }])(
    'F14: are asked for once where nothing is declared: %j',
    async (capabilities) => {
      const { listings, asked } = await read(capabilities, ANSWERS);
      await expect(summary(listings)).resolves.toMatchObject({
        tools: ['t', 'it declares no capability "tools", and its tools are used all the same'],
        prompts: [],
      });
      expect(asked).toEqual(['tools/list']);
    },
  );

  it.each([['"result":{"tools":[]}'], ['"error":{"code":-32601,"message":"no"}'], ['"result":{}']])(
    'F14: are told to be none where nothing is declared and the server answers %s',
    async (answer) => {
      const { listings } = await read({}, { 'tools/list': answer });
      await expect(summary(listings)).resolves.toMatchObject({
        tools: ['it declares no tools, prompts or resources'],
      });
    },
  );

  it('F14: are not waited for long where nothing is declared', async () => {
    const { listings, advance } = await read({}, {});
    await advance(100);
    await expect(summary(listings)).resolves.toMatchObject({
      tools: ['it declares no tools, prompts or resources'],
    });
  });

  it('F13: that are null are empty', async () => {
    const { listings } = await read(ALL, { ...ANSWERS, 'tools/list': '"result":{"tools":null}' });
    await expect(summary(listings)).resolves.toMatchObject({
      tools: ['its list of tools is null, which counts as empty'],
      prompts: ['p'],
    });
  });

  it('S1: may lack templates: a method that the server does not know is no fault', async () => {
    const unknown = { ...ANSWERS, 'resources/templates/list': '"error":{"code":-32601,"message":"no"}' };
    const { listings } = await read(ALL, unknown);
    await expect(summary(listings)).resolves.toMatchObject({ resources: ['x:1'], resourceTemplates: [] });
  });

  it('A2: that fail beside its tools become a warning each, and the tools are there', async () => {
    const failing = {
      ...ANSWERS,
      'prompts/list': '"error":{"code":-32603,"message":"broken"}',
      'resources/list': '"result":{}',
    };
    const { listings } = await read(ALL, failing);
    await expect(summary(listings)).resolves.toEqual({
      tools: ['t'],
      prompts: ['could not list its prompts: the server answered {"code":-32603,"message":"broken"}'],
      resources: ['could not list its resources: resources/list has no array "resources" in its result'],
      resourceTemplates: ['x:{y}'],
    });
  });

  it('A2: that never come cost no more than the time of a page', async () => {
    const { listings, advance } = await read(ALL, { 'tools/list': ANSWERS['tools/list'] ?? '' });
    await advance(100);
    await expect(summary(listings)).resolves.toEqual({
      tools: ['t'],
      prompts: ['could not list its prompts: no answer to prompts/list within 0.1 s'],
      resources: ['could not list its resources: no answer to resources/list within 0.1 s'],
      resourceTemplates: [
        'could not list its resource templates: no answer to resources/templates/list within 0.1 s',
      ],
    });
  });

  it('M1: are of no use without the tools, which have all the time of the start', async () => {
    const { 'tools/list': _, ...others } = ANSWERS;
    const { listings, advance } = await read(ALL, others);
    const failure = listings.catch((error: unknown) => error);
    await advance(1000);
    await expect(failure).resolves.toMatchObject({
      name: 'OwnRequestError',
      timedOut: true,
      message: 'no answer to tools/list within 1 s',
    });
  });
});
