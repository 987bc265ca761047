import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { FrontRig, messagesIn, type OpenAnswer } from './testing/front-rig.js';
import { askModern, MODERN, modernBody, modernHeaders, type ModernInit } from './testing/modern-requests.js';

const CALL = { name: 'e__echo', arguments: { message: 'hi' } };
const NAMED = Buffer.from(CALL.name).toString('base64');

async function withEcho(): Promise<FrontRig> {
  const rig = await FrontRig.open();
  await rig.mux.addServer('e', fixtureCommand('echo'));
  return rig;
}

/** The status, and the id and the code of the error. */
function refusal({ status, text }: OpenAnswer): unknown {
  const [message] = messagesIn(text);
  return [status, message?.['id'], (message?.['error'] as { code?: number } | undefined)?.code];
}

/** Sends a body of a test's own, and resolves with all that comes back. */
async function post(rig: FrontRig, headers: Record<string, string>, body: object): Promise<OpenAnswer> {
  const answer = await rig.send('POST', headers, body);
  await answer.ended;
  return answer;
}

describe('the headers of a request of 2026-07-28', () => {
  it.each<[string, ModernInit['headers']]>([
    ['MCP-Protocol-Version is missing', { 'mcp-protocol-version': undefined }],
    ['MCP-Protocol-Version names another revision', { 'mcp-protocol-version': '2025-11-25' }],
    ['MCP-Protocol-Version names an unknown revision', { 'mcp-protocol-version': '2099-01-01' }],
    ['Mcp-Method is missing', { 'mcp-method': undefined }],
    ['Mcp-Method names another method', { 'mcp-method': 'tools/list' }],
    ['Mcp-Method is written in capitals', { 'mcp-method': 'TOOLS/CALL' }],
    ['Mcp-Name is missing', { 'mcp-name': undefined }],
    ['Mcp-Name names another tool', { 'mcp-name': 'e__other' }],
    ['Mcp-Name is no Base64', { 'mcp-name': '=?base64?e__echo?=' }],
    ['Mcp-Name is Base64 without its padding', { 'mcp-name': `=?base64?${NAMED.replaceAll('=', '')}?=` }],
    ['Mcp-Name is Base64 of another tool', { 'mcp-name': '=?base64?b3RoZXI=?=' }],
    ['Mcp-Name is Base64 of no text', { 'mcp-name': '=?base64?/w==?=' }],
  ])('are refused with -32020 where %s, and nothing is called', async (_, headers) => {
    await using rig = await withEcho();
    const calls: string[] = [];
    rig.mux.on('call:start', ({ tool }) => calls.push(tool));
    const answer = await askModern(rig, 'tools/call', CALL, { id: 'x', headers });
    expect(refusal(answer)).toEqual([400, 'x', -32_020]);
    expect(calls).toEqual([]);
  });

  it.each<[string, ModernInit['headers']]>([
    ['space around it', { 'mcp-name': '  e__echo  ', 'mcp-method': ' tools/call ' }],
    ['Base64', { 'mcp-name': `=?base64?${NAMED}?=` }],
  ])('are taken with %s', async (_, headers) => {
    await using rig = await withEcho();
    expect(await askModern(rig, 'tools/call', CALL, { headers })).toMatchObject({ status: 200 });
  });

  it.each([
    ['resources/read', { uri: 'x:日本' }, 'uri'],
    ['prompts/get', { name: '日本' }, 'name'],
    ['tasks/get', { taskId: 'e.日本' }, 'taskId'],
  ])('name the subject of %s as well', async (method, params, member) => {
    await using rig = await withEcho();
    const subject = Object.values(params)[0] ?? '';
    const encoded = `=?base64?${Buffer.from(subject).toString('base64')}?=`;
    const right = await askModern(rig, method, params, { headers: { 'mcp-name': encoded } });
    const wrong = await askModern(rig, method, params, { headers: { 'mcp-name': 'other' } });
    expect([member, refusal(wrong)]).toEqual([member, [400, 1, -32_020]]);
    expect(refusal(right)).not.toEqual([400, 1, -32_020]);
  });

  it('are checked for each revision that mcpmux says to support', async () => {
    await using rig = await FrontRig.open();
    const [discovered] = messagesIn((await askModern(rig, 'server/discover')).text);
    const { supportedVersions = [] } = (discovered?.['result'] ?? {}) as {
      readonly supportedVersions?: readonly string[];
    };
    expect(supportedVersions).not.toEqual([]);
    for (const version of supportedVersions) {
      const headers = { 'mcp-protocol-version': version, 'mcp-method': 'prompts/list' };
      const meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const answer = await askModern(rig, 'tools/list', {}, { headers, meta });
      expect(refusal(answer)).toEqual([400, 1, -32_020]);
    }
  });

  it('are refused where one stands twice', async () => {
    await using rig = await withEcho();
    const twice = ['Mcp-Name', 'e__echo', 'Mcp-Name', 'e__other'];
    const socket = rig.socket();
    const body = JSON.stringify(modernBody('tools/call', CALL));
    const head = Object.entries(modernHeaders('tools/call')).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${rig.url.host}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n${head.join('')}` +
        `${twice[0]}: ${twice[1]}\r\n${twice[2]}: ${twice[3]}\r\n\r\n${body}`,
    );
    const text = await new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(chunk.toString())),
    );
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('mcp-name was sent more than once');
  });
});

describe('the era of a message over HTTP', () => {
  it.each([
    ['no revision', { 'io.modelcontextprotocol/protocolVersion': undefined }, -32_602],
    ['no capabilities', { 'io.modelcontextprotocol/clientCapabilities': undefined }, -32_602],
    ['a revision that is no text', { 'io.modelcontextprotocol/protocolVersion': 1 }, -32_602],
    ['an unknown level', { 'io.modelcontextprotocol/logLevel': 'loud' }, -32_602],
  ])('is that of its headers, which is refused with 400 where the body names %s', async (_, meta, code) => {
    await using rig = await FrontRig.open();
    expect(refusal(await askModern(rig, 'tools/list', {}, { id: 'x', meta }))).toEqual([400, 'x', code]);
  });

  it('is that of its body: an unknown revision is refused with those that are supported', async () => {
    await using rig = await FrontRig.open();
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': undefined };
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const answer = await askModern(rig, 'tools/call', CALL, { headers, meta });
    expect(refusal(answer)).toEqual([400, 1, -32_022]);
    expect(messagesIn(answer.text)[0]).toMatchObject({
      error: { data: { supported: [MODERN], requested: '2099-01-01' } },
    });
  });

  it('is the modern one for its methods, without any header and description', async () => {
    await using rig = await FrontRig.open();
    const body = { jsonrpc: '2.0', id: 'x', method: 'server/discover', params: {} };
    expect(refusal(await post(rig, {}, body))).toEqual([400, 'x', -32_602]);
  });

  it('is a contradiction where the headers are modern and the body initializes', async () => {
    await using rig = await FrontRig.open();
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    };
    const body = { jsonrpc: '2.0', id: 'x', method: 'initialize', params };
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'initialize' };
    expect(refusal(await post(rig, headers, body))).toEqual([400, 'x', -32_020]);
  });

  it('is decided by each message: both eras use one endpoint, and a session counts for nothing', async () => {
    await using rig = await withEcho();
    const session = await rig.session();
    const legacy = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: CALL };
    for (const id of [session['mcp-session-id'], 'never-opened']) {
      const headers = { 'mcp-session-id': id, 'last-event-id': 'none' };
      const modern = await askModern(rig, 'tools/call', CALL, { id: 7, headers });
      expect(messagesIn(modern.text)).toMatchObject([{ id: 7, result: { resultType: 'complete' } }]);
      expect(modern.response.headers['mcp-session-id']).toBeUndefined();
    }
    const [answered] = messagesIn((await post(rig, session, legacy)).text);
    expect(answered).toMatchObject({ id: 7, result: { content: [{ text: 'hi' }] } });
    expect(answered?.['result']).not.toHaveProperty('resultType');
  });

  it('is no longer that of a session which has ended: its id is refused as before', async () => {
    await using rig = await FrontRig.open();
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await post(rig, { 'mcp-session-id': 'gone' }, list)).toMatchObject({ status: 404 });
  });

  it.each(['GET', 'DELETE'])('is served by POST alone: %s is refused with 405', async (method) => {
    await using rig = await FrontRig.open();
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-session-id': 'any' };
    const answer = await rig.send(method, headers);
    expect([answer.status, answer.response.headers.allow]).toEqual([405, 'POST']);
    expect((await rig.send(method)).status).toBe(400);
  });

  it('allows no batch', async () => {
    await using rig = await FrontRig.open();
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'ping' }, modernBody('tools/list', {}, { id: 2 })];
    expect(refusal(await post(rig, {}, batch))).toEqual([400, null, -32_600]);
  });
});

describe('the status of an answer of 2026-07-28', () => {
  it.each(['ping', 'initialize', 'logging/setLevel', 'x/unknown'])(
    'is 404 for %s, which that revision has not',
    async (method) => {
      await using rig = await FrontRig.open();
      expect(refusal(await askModern(rig, method))).toEqual([404, 1, -32_601]);
    },
  );

  it('is 200 for an error of what is called', async () => {
    await using rig = await withEcho();
    expect(refusal(await askModern(rig, 'tools/call', { name: 'e__none' }))).toEqual([200, 1, -32_602]);
  });

  it('is 202 for a notification, which needs no further header', async () => {
    await using rig = await FrontRig.open();
    const cancelled = {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } },
    };
    expect(await post(rig, {}, cancelled)).toMatchObject({ status: 202, text: '' });
    const other = await post(rig, { 'mcp-method': 'notifications/progress' }, cancelled);
    expect(refusal(other)).toEqual([400, null, -32_020]);
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }, 415],
    ['neither JSON nor events', { accept: 'text/html' }, 406],
  ])('says that a body or an answer is of %s', async (_, headers, status) => {
    await using rig = await FrontRig.open();
    expect(await askModern(rig, 'tools/list', {}, { headers })).toMatchObject({ status });
  });
});
