import { PassThrough } from 'node:stream';

import { fixtureCommand } from '@mcpmux/test-servers';
import { type Mux, type StreamConfig } from '@mcpmux/core';
import { expect, it } from 'vitest';

import { PageRig } from './testing/page-rig.js';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'mcpmux-page', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {} },
};
const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };

/** A page that calls the tools of one server, which is named `s`. */
async function pageWith(server: ReturnType<typeof fixtureCommand> | StreamConfig) {
  const rig = await PageRig.open();
  await rig.mux.addServer('s', server);
  const headers = { ...(await rig.logIn()), 'content-type': 'application/json' };
  const call = async (
    tool: string,
    params: object = {},
    more: { query?: string; signal?: AbortSignal } = {},
  ) => {
    const all = { name: `s__${tool}`, arguments: {}, ...params, _meta: ENVELOPE };
    const answer = await fetch(`${rig.origin}/ui/api/mcp?${more.query ?? ''}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: all }),
      ...(more.signal && { signal: more.signal }),
    });
    return answer.text();
  };
  return { rig, call, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

/** Another mux as a server, as `connect_instance` has it. */
function serverOf(inner: Mux): StreamConfig {
  return {
    address: 'unix:inner',
    advice: 'none',
    protocol: 'modern',
    open: () => {
      const [there, back] = [new PassThrough(), new PassThrough()];
      inner.connect({ input: there, output: back });
      return Promise.resolve({ input: back, output: there });
    },
  };
}

function stateIn(text: string): string {
  const { result } = JSON.parse(text) as { readonly result: { readonly requestState: string } };
  return result.requestState;
}

it('a call is cancelled at its server when the page closes its request', async () => {
  await using page = await pageWith(fixtureCommand('cancellable'));
  const gone = new AbortController();
  const started = new Promise<unknown>((resolve) => page.rig.mux.on('call:start', resolve));
  const called = page.call('wait', {}, { signal: gone.signal });
  await started;
  gone.abort();
  await expect(called).rejects.toThrow('aborted');
  await expect.poll(() => page.call('cancelled')).toContain('requestId');
});

it.each([
  ['the mcpmux of the page', 'ask'],
  ['another mcpmux behind it', 's__ask'],
])('a call that waits in %s is cancelled when the page withdraws it', async (_, tool) => {
  await using inner = await pageWith(fixtureCommand('interactive'));
  await using outer = await pageWith(serverOf(inner.rig.mux));
  const page = tool === 'ask' ? inner : outer;
  const call = { arguments: { method: 'elicitation/create', params: FORM } };
  const params = { ...call, requestState: stateIn(await page.call(tool, call)) };
  expect(await page.call(tool, params, { query: 'withdrawn' })).toBe('');
  expect(await page.call(tool, { ...params, inputResponses: {} })).toContain('it was used before');
});

it('a request that a modern server has answered with questions is withdrawn without another call', async () => {
  await using page = await pageWith(fixtureCommand('modern-asking'));
  const requestState = stateIn(await page.call('several'));
  expect(await page.call('several', { requestState }, { query: 'withdrawn' })).toContain(
    'the user has refused',
  );
  const rounds = ['1', '2', '3'].map((state) =>
    page.call('several', { requestState: state, inputResponses: {} }),
  );
  const ended = (await Promise.all(rounds)).at(-1) ?? '';
  expect(ended.split('tools/call').length - 1).toBe(4);
});
