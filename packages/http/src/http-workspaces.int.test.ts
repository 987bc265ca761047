import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { answersIn, FrontRig } from './testing/front-rig.js';

const credentials = {
  principalOf: (header?: string) =>
    header === undefined ? undefined : { id: header, roles: [], rights: ['manage'] },
};

/** A session of somebody at a path. */
async function sessionAt(rig: FrontRig, path: string, authorization: string) {
  const at = new URL(path, rig.url);
  const send = async (headers: Readonly<Record<string, string>>, body?: object, method = 'POST') => {
    rig.url = at;
    const answer = await rig.send(method, headers, body);
    await answer.ended;
    return answer;
  };
  rig.url = at;
  const headers = await rig.session('2025-11-25', {}, { authorization });
  let id = 0;
  return {
    headers,
    send,
    request: async (method: string, params: object): Promise<string> => {
      id += 1;
      return JSON.stringify(answersIn((await send(headers, { jsonrpc: '2.0', id, method, params })).text));
    },
    end: () => send(headers, undefined, 'DELETE'),
  };
}

type Session = Awaited<ReturnType<typeof sessionAt>>;

const add = (session: Session, name: string): Promise<string> =>
  session.request('tools/call', { name: 'add_server', arguments: { name, ...fixtureCommand('echo') } });
const names = (session: Session): Promise<string> => session.request('tools/list', {});

describe('a workspace', () => {
  it('H5: has its own servers, whoever names them the same elsewhere, and keeps them for the next session', async () => {
    await using rig = await FrontRig.guarded({ entrance: { credentials, metadata: undefined } });
    await rig.mux.addServer('ours', fixtureCommand('echo'));
    const [a, b, other] = [
      await sessionAt(rig, '/mcp/a', 'ann'),
      await sessionAt(rig, '/mcp/b', 'ann'),
      await sessionAt(rig, '/mcp', 'ann'),
    ];
    const eves = await sessionAt(rig, '/mcp/a', 'eve');
    await add(a, 'mine');
    expect(await names(a)).toContain('mine__echo');
    for (const one of [b, other, eves]) expect(await names(one)).not.toContain('mine__echo');
    for (const one of [a, b, other, eves]) expect(await names(one)).toContain('ours__echo');
    const call = { name: 'mine__echo', arguments: { message: 'hi' } };
    expect(await eves.request('tools/call', call)).toContain('"error"');
    expect(await add(b, 'mine')).toContain('"status\\":\\"running');
    await a.end();
    const next = await sessionAt(rig, '/mcp/a', 'ann');
    expect(await next.request('tools/call', call)).toContain('hi');
  });

  it('H5: is the same with a slash at the end of its path, and so is /mcp', async () => {
    await using rig = await FrontRig.guarded({ entrance: { credentials, metadata: undefined } });
    for (const path of ['/mcp/a', '/mcp']) {
      const [one, other] = [await sessionAt(rig, path, 'ann'), await sessionAt(rig, `${path}/`, 'ann')];
      await add(one, 'mine');
      expect(await names(other)).toContain('mine__echo');
    }
  });

  it('H5: is /mcp itself for each principal that is known: nobody else sees what it adds', async () => {
    await using rig = await FrontRig.guarded({ entrance: { credentials, metadata: undefined } });
    const [one, two, path, eves] = [
      await sessionAt(rig, '/mcp', 'ann'),
      await sessionAt(rig, '/mcp', 'ann'),
      await sessionAt(rig, '/mcp/a', 'ann'),
      await sessionAt(rig, '/mcp', 'eve'),
    ];
    await add(one, 'mine');
    expect(await names(two)).toContain('mine__echo');
    for (const other of [path, eves]) expect(await names(other)).not.toContain('mine__echo');
    const call = { name: 'mine__echo', arguments: { message: 'hi' } };
    expect(await eves.request('tools/call', call)).toContain('"error"');
    expect(await add(eves, 'mine')).toContain('"status\\":\\"running');
    await one.request('tools/call', { name: 'remove_server', arguments: { name: 'mine' } });
    expect(await eves.request('tools/call', call)).toContain('hi');
  });

  it('H5: is one for all at /mcp where nobody has a token', async () => {
    await using rig = await FrontRig.open();
    const [one, two] = [await sessionAt(rig, '/mcp', 'none'), await sessionAt(rig, '/mcp', 'none')];
    await add(one, 'ours');
    expect(await names(two)).toContain('ours__echo');
  });

  it('I5: the session of another one does not exist there', async () => {
    await using rig = await FrontRig.guarded({ entrance: { credentials, metadata: undefined } });
    const a = await sessionAt(rig, '/mcp/a', 'ann');
    const b = await sessionAt(rig, '/mcp/b', 'ann');
    const ping = { jsonrpc: '2.0', id: 9, method: 'ping' };
    expect(await b.send(a.headers, ping)).toMatchObject({ status: 404 });
    expect(await a.send(a.headers, ping)).toMatchObject({ status: 200 });
  });

  it.each(['/mcp//', '/mcp/a//', '/mcp/a/b', `/mcp/${'a'.repeat(65)}`, '/mcp/%61', '/mcpx'])(
    'has no path such as %s',
    async (path) => {
      await using rig = await FrontRig.guarded({ entrance: { credentials, metadata: undefined } });
      rig.url = new URL(rig.url.origin + path);
      const answer = await rig.send('POST', { authorization: 'ann' }, {});
      expect(answer.status).toBe(404);
    },
  );
});
