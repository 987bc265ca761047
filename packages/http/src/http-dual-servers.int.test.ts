import { createMux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import { FrontRig, messagesIn } from './testing/front-rig.js';
import { askModern } from './testing/modern-requests.js';

type Era = 'legacy' | 'modern';
type Call = (tool: string) => Promise<string>;

const TOOLS = ['ask', 'sample', 'ask_by_input'] as const;
const CAPABILITIES = { elicitation: { form: {} }, sampling: {} };
const NAMED = { action: 'accept', content: { name: 'Ann' } } as const;
const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Ann' } } as const;

interface Result {
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
}

async function front(): Promise<FrontRig> {
  const mux = createMux({ firstEra: 'modern' });
  await mux.addServer('d', fixtureCommand('dual-era'));
  return FrontRig.guarded({ mux });
}

/** A client with a session, on the SDK. */
async function legacyClient({ url }: FrontRig): Promise<Call> {
  const client = new Client({ name: 'c', version: '1' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => NAMED);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED);
  await client.connect(new StreamableHTTPClientTransport(url));
  return async (tool) => JSON.stringify(await client.callTool({ name: `d__${tool}` }));
}

/** A client whose requests stand alone. */
function modernClient(rig: FrontRig): Promise<Call> {
  const call = async (tool: string, more: object = {}): Promise<string> => {
    const params = { name: `d__${tool}`, arguments: {}, ...more };
    const { text } = await askModern(rig, 'tools/call', params, { capabilities: CAPABILITIES });
    const { result = {} } = (messagesIn(text).at(-1) ?? {}) as { readonly result?: Result };
    const { inputRequests, requestState } = result;
    if (inputRequests === undefined) return text;
    const answered = Object.entries(inputRequests).map(([key, { method }]) => [
      key,
      method === 'elicitation/create' ? NAMED : SAMPLED,
    ]);
    return call(tool, { inputResponses: Object.fromEntries(answered) as object, requestState });
  };
  return Promise.resolve(call);
}

const OPEN = { legacy: legacyClient, modern: modernClient };
/** In the modern era the server cannot send requests: nor does it to a client without mcpmux. */
const ALONE: Readonly<Record<Era, RegExp>> = { legacy: /Ann/, modern: /Ann|unavailable on 2026-07-28/ };

async function getsAll(call: Call, era: Era): Promise<void> {
  for (const tool of TOOLS) expect(await call(tool), `${tool} for a ${era} client`).toMatch(ALONE[era]);
  expect(await call('ask_by_input')).toMatch(/Ann/);
}

describe('a server of both eras behind a front', () => {
  it.each<Era>(['legacy', 'modern'])('gives a %s client what it gives it alone', async (era) => {
    await using rig = await front();
    const call = await OPEN[era](rig);
    await getsAll(call, era);
    expect(await call('era')).toContain(era);
    expect(rig.mux.listServers()[0]?.second_run).toBeUndefined();
  });

  it.each<readonly [Era, Era]>([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ])('gives a %s client, and then a %s one, what it gives each alone', async (first, second) => {
    await using rig = await front();
    const one = await OPEN[first](rig);
    await getsAll(one, first);
    const other = await OPEN[second](rig);
    await getsAll(other, second);
    await getsAll(one, first);
    // A modern client that came second crosses the bridge; a legacy one would lose questions there.
    const otherRun = first === 'modern' ? 'legacy' : undefined;
    expect(rig.mux.listServers()[0]?.second_run?.era).toBe(otherRun);
  });
});
