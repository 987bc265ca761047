import { jsonObject, jsonValue } from '@mcpmux/testing/arbitrary-json';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SessionsRig } from '../../testing/sessions-rig.js';
import { CLIENT_META_KEYS } from '../../server/dialect/envelope-keys.js';

/** Legal JSON that no serializer would write this way: it does not survive a parser. */
const ODD = String.raw`{ "b":12345678901234567890, "a" : 1.0,"zero":-0,"e":1E+2,"far":1e400,"twice":1,"twice":2,"":[null,{"":0.10}],"text":"\u00e9 é \/ 日 \ud800"}`;
const CAPABILITIES = String.raw`{"elicitation" :{"form":{}},"extensions":{"vendor.example/x":{"n":1.50,"m":12345678901234567890}}}`;
const INFO = String.raw`{"version":"1","name":"c\u006cient","x":1.0}`;
const MUX = '{"name":"mcpmux","version":"0.0.0"}';
const COMPLETE = '"resultType":"complete"';

interface Given {
  readonly id: string;
  readonly name: string;
  readonly info: string;
  readonly more: string;
  readonly args: string;
}

/** A call, with its members in an order that no SDK writes. */
function call({ id, name, info, more, args }: Given): string {
  const meta =
    `{"vendor.example/k":${more}, "${CLIENT_META_KEYS.capabilities}":${CAPABILITIES},` +
    `"${CLIENT_META_KEYS.info}" : ${info},"${CLIENT_META_KEYS.version}":"2026-07-28"}`;
  return `{"x-first":${more},"params" :{"x":${more},"_meta": ${meta},"arguments":${args}, "name": ${name}},"method":"tools/call" ,"id": ${id},"jsonrpc":"2.0" }`;
}

async function rigWithModern() {
  const rig = new SessionsRig();
  const server = rig.server('s', { tools: ['t'], era: 'modern' });
  return { server, client: rig.stranger() };
}

describe('M5: within the modern era', () => {
  it('a call keeps every byte but its id, its name and that of its client, whatever it says', async () => {
    const { server, client } = await rigWithModern();
    let id = 0;
    await fc.assert(
      fc.asyncProperty(jsonValue, jsonObject, async (more, args) => {
        id += 1;
        const given = { id: `"c${id}"`, name: String.raw`"s__\u0074"`, info: INFO, more, args };
        // A line ends at a newline: there is none in a message.
        const line = call(given).replaceAll('\n', ' ');
        await client.exchange(line);
        const sent = call({ ...given, id: String(id), name: '"t"', info: MUX }).replaceAll('\n', ' ');
        expect(server.received.at(-1)).toBe(sent);
        const result = `{"content":${more.replaceAll('\n', ' ')},${COMPLETE}}`;
        await server.exchange(`{"result":${result},"id":${id},"jsonrpc":"2.0"}`);
        expect(client.take()).toEqual([`{"result":${result},"id":"c${id}","jsonrpc":"2.0"}`]);
      }),
      propertyRuns(80),
    );
  });

  it.each([
    ['that is complete', `{"x":${ODD},${COMPLETE},"_meta":${ODD}}`],
    ['that says so first', `{ ${COMPLETE} ,"content":[{"text":"caf\\u00e9","type":"text","x":${ODD}}]}`],
    ['with unknown members', `{"x-vendor":${ODD},"ttlMs":1.0,"cacheScope":7,"content":[],${COMPLETE}}`],
    ['of a type that nobody knows', `{"resultType":"vendor.example/later","x":${ODD}}`],
  ])('a result %s keeps every byte', async (_, result) => {
    const { server, client } = await rigWithModern();
    await client.exchange(call({ id: '"a"', name: '"s__t"', info: INFO, more: ODD, args: ODD }));
    await server.exchange(`{"x-first":${ODD},"result" :${result} ,"id": 1,"jsonrpc":"2.0" }`);
    expect(client.take()).toEqual([`{"x-first":${ODD},"result" :${result} ,"id": "a","jsonrpc":"2.0" }`]);
  });

  it('a result without a type gets one, and keeps every other byte', async () => {
    const { server, client } = await rigWithModern();
    await client.exchange(call({ id: '1', name: '"s__t"', info: INFO, more: ODD, args: ODD }));
    await server.exchange(`{"result":{"x":${ODD}},"id":1,"jsonrpc":"2.0"}`);
    expect(client.take()).toEqual([`{"result":{${COMPLETE},"x":${ODD}},"id":1,"jsonrpc":"2.0"}`]);
  });

  it('questions, the state of the request and the answers keep every byte but the label', async () => {
    const { server, client } = await rigWithModern();
    const given = { id: '"a"', name: '"s__t"', info: INFO, more: ODD, args: ODD };
    await client.exchange(call(given));
    const asked = (message: string): string =>
      `{"requestState":"\\u0073 / é","inputRequests":{"q\\u0031":{"x":${ODD},"params":{"requestedSchema":${ODD},"message":${message}},"method":"elicitation/create"}},"resultType":"input_required"}`;
    await server.exchange(`{"result":${asked('"Name?"')},"id":1,"jsonrpc":"2.0"}`);
    expect(client.take()).toEqual([`{"result":${asked('"[s] Name?"')},"id":"a","jsonrpc":"2.0"}`]);
    const retry = (line: string): string =>
      line.replace(
        '"arguments":',
        `"requestState":"\\u0073 / é","inputResponses":{"q\\u0031":{"action":"accept","content":${ODD}}},"arguments":`,
      );
    await client.exchange(retry(call({ ...given, id: '"b"' })));
    expect(server.received.at(-1)).toBe(retry(call({ ...given, id: '2', name: '"t"', info: MUX })));
  });

  it('progress keeps every byte but its token', async () => {
    const { server, client } = await rigWithModern();
    const token = `"${CLIENT_META_KEYS.capabilities}"`;
    const line = call({ id: '1', name: '"s__t"', info: INFO, more: ODD, args: ODD });
    await client.exchange(line.replace(token, `"progressToken": "p",${token}`));
    const progress = (own: string): string =>
      `{"params":{"x":${ODD},"progress":1.0,"progressToken": ${own}},"method":"notifications/progress","jsonrpc":"2.0"}`;
    await server.exchange(progress('1'));
    expect(client.take()).toEqual([progress('"p"')]);
  });
});
