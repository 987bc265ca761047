import type { LoginGateOptions } from '@mcpmux/test-servers/login-gate';
import { expect, it } from 'vitest';

import type { Login } from '../index.js';
import { GuardedServer, MemoryLogins } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** Says hello to everybody, lists tools with one scope, and calls them with another. */
const STEPS: LoginGateOptions = {
  openMethods: ['initialize', 'notifications/initialized'],
  scopeOf: (rpc) => ({ 'tools/list': 'read', 'tools/call': 'write' })[rpc ?? ''],
};
/** Gives a token to whoever asks, and wants a scope that nobody gets. */
const NEVER: LoginGateOptions = { scopeOf: (rpc) => (rpc === 'tools/call' ? 'root' : undefined) };

/** A mux whose user is logged in to the server, and how often that was. */
async function loggedIn(far: GuardedServer): Promise<{
  readonly rig: MuxRig;
  readonly logins: MemoryLogins;
  readonly logIn: () => Promise<Login>;
}> {
  const logins = new MemoryLogins();
  const logIn = async (): Promise<Login> => {
    const login = await far.logIn({ previous: await logins.load(far.url) });
    await logins.save(far.url, login);
    return login;
  };
  await logIn();
  const rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: far.url, login: true });
  return { rig, logins, logIn };
}

it('S13: a server that answers initialize to everybody is asked on, until it says which login it wants', async () => {
  await using far = await GuardedServer.open(STEPS);
  await far.logIn();
  expect(far.gate.authorized[0]?.get('scope')).toBe('read');
  expect(far.server.requests.map(({ method }) => method)).toContain('DELETE');
});

it('S13: a server that knows no sessions is asked on as well', async () => {
  await using far = await GuardedServer.open({ ...STEPS, openMethods: [] });
  const { intercept } = far.server;
  far.server.intercept = (request, response) => {
    if (request.rpc !== 'initialize') return intercept(request, response);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'unknown' } }));
    return true;
  };
  await far.logIn();
  expect(far.gate.authorized[0]?.get('scope')).toBe('read');
});

it('S13: a server that lists everything to everybody is logged in to if it names an authorization server', async () => {
  const open = ['initialize', 'notifications/initialized', 'tools/list'];
  await using far = await GuardedServer.open({ openMethods: open });
  await expect(far.logIn()).resolves.toMatchObject({ tokens: { access_token: 'access-1' } });
});

it('S13: a call that needs a further scope says so, and the next login asks for it and for those before', async () => {
  await using far = await GuardedServer.open(STEPS);
  const { rig, logIn } = await loggedIn(far);
  await using _ = rig;
  const refused = await rig.client.call('far__echo', { message: 'x' });
  expect(textOf(refused.result)).toMatch(/needs a login: .*scope "write".*\n.*mcpmux login far/);
  expect(far.gate.authorized).toHaveLength(1);
  await logIn();
  expect(far.gate.authorized[1]?.get('scope')).toBe('read write');
  expect(textOf((await rig.client.call('far__echo', { message: 'in' })).result)).toBe('in');
});

it('S13: what a login has asked for in vain is not asked for again', async () => {
  await using far = await GuardedServer.open(NEVER);
  const { rig, logIn } = await loggedIn(far);
  await using _ = rig;
  const reported = async (): Promise<string> =>
    textOf((await rig.client.call('far__echo', { message: 'x' })).result);
  expect(await reported()).toContain('mcpmux login far');
  far.gate.grantsOnly('');
  await logIn();
  expect(far.gate.authorized[1]?.get('scope')).toBe('root');
  const [calls, tokens] = [far.server.of('tools/call').length, far.gate.asked.length];
  const last = await reported();
  expect(last).toContain('has already asked for the scope "root"');
  expect(last).not.toContain('mcpmux login');
  expect(far.server.of('tools/call')).toHaveLength(calls + 1);
  expect(far.gate.asked).toHaveLength(tokens);
});

it('I18: what a server calls a scope is shown and kept only if it can be one', async () => {
  const scopeOf: LoginGateOptions['scopeOf'] = (rpc) => (rpc === 'tools/call' ? 'a\u009B;rm b' : undefined);
  await using far = await GuardedServer.open({ scopeOf });
  const { rig, logins } = await loggedIn(far);
  await using _ = rig;
  const text = textOf((await rig.client.call('far__echo', { message: 'x' })).result);
  expect(text).toContain('scope "b"');
  expect(JSON.stringify([...logins.kept.values()])).not.toContain('rm');
});
