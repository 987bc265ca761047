import { expect, it } from 'vitest';

import { LINK_LIFETIME_MS } from './entrance/one-time-links.js';
import { SESSION_IDLE_MS } from './entrance/page-sessions.js';
import { PageRig } from './testing/page-rig.js';

it('a link opens the page once', async () => {
  await using rig = await PageRig.open();
  const body = { token: rig.token() };
  const first = await rig.send('/ui/api/login', { method: 'POST', body });
  const second = await rig.send('/ui/api/login', { method: 'POST', body });
  expect([first.status, second.status]).toEqual([200, 401]);
  expect(second.text).toContain('used already');
  expect(second.headers['set-cookie']).toBeUndefined();
});

it('a link that waits for longer than two minutes opens nothing', async () => {
  await using rig = await PageRig.open();
  const body = { token: rig.token() };
  rig.advance(LINK_LIFETIME_MS);
  expect((await rig.send('/ui/api/login', { method: 'POST', body })).status).toBe(401);
});

it('the cookie is out of reach of scripts and of other sites, and has the port in its name', async () => {
  await using rig = await PageRig.open();
  const { port } = new URL(rig.origin);
  const answer = await rig.send('/ui/api/login', { method: 'POST', body: { token: rig.token() } });
  expect(String(answer.headers['set-cookie'])).toMatch(
    new RegExp(`^mcpmux-page-${port}=[\\w-]{43}; Path=/ui; HttpOnly; SameSite=Strict$`),
  );
});

it('data needs both the cookie and the key, of one session', async () => {
  await using rig = await PageRig.open();
  const [one, other] = [await rig.logIn(), await rig.logIn()];
  const tried = [
    {},
    { cookie: one['cookie'] ?? '' },
    { 'x-mcpmux-page': one['x-mcpmux-page'] ?? '' },
    { ...one, 'x-mcpmux-page': other['x-mcpmux-page'] ?? '' },
    one,
  ];
  const answers = await Promise.all(tried.map((headers) => rig.send('/ui/api/overview', { headers })));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 200]);
});

it('a session ends when nobody has used it for half a day, and when it is logged out', async () => {
  await using rig = await PageRig.open();
  const [idle, left] = [await rig.logIn(), await rig.logIn()];
  const out = await rig.send('/ui/api/logout', { method: 'POST', headers: left, body: {} });
  expect(String(out.headers['set-cookie'])).toContain('Max-Age=0');
  expect((await rig.send('/ui/api/overview', { headers: left })).status).toBe(401);
  rig.advance(SESSION_IDLE_MS);
  expect((await rig.send('/ui/api/overview', { headers: idle })).status).toBe(401);
});

it.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['the same machine on another port', { origin: 'http://127.0.0.1:1' }],
  ['another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
  ['another port, as browsers tell', { 'sec-fetch-site': 'same-site' }],
  ['a foreign host name that points here', { host: 'evil.example' }],
])('I2: %s gets no data, not even with cookie and key', async (_, foreign) => {
  await using rig = await PageRig.open({}, {});
  const headers = { ...(await rig.logIn()), ...foreign };
  const answer = await rig.send('/ui/api/overview', { headers });
  expect(answer.status).toBe(403);
  expect(answer.text).not.toContain('instance');
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

it('an origin that may use MCP may not use the page', async () => {
  const origin = 'https://app.example.com';
  await using rig = await PageRig.open({}, { allowOrigins: [origin] });
  const headers = { ...(await rig.logIn()), origin };
  const [data, preflight] = [
    await rig.send('/ui/api/overview', { headers }),
    await rig.send('/ui/api/overview', { method: 'OPTIONS', headers: { origin } }),
  ];
  expect([data.status, preflight.status]).toEqual([403, 403]);
  expect(data.headers['access-control-allow-origin']).toBeUndefined();
  expect(preflight.headers['access-control-allow-headers']).toBeUndefined();
});

it('a form of another page cannot post: only JSON is read', async () => {
  await using rig = await PageRig.open();
  const headers = { ...(await rig.logIn()), 'content-type': 'text/plain' };
  const answer = await rig.send('/ui/api/remove', { method: 'POST', headers, body: { name: 'x' } });
  expect(answer.status).toBe(403);
});

it('a body of more than 1 MiB is refused', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  const body = { name: 'x'.repeat(1_100_000) };
  expect((await rig.send('/ui/api/reload', { method: 'POST', headers, body })).status).toBe(413);
});

it('every answer forbids frames, foreign scripts and caches', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  for (const path of ['/ui/', '/ui/nothing', '/ui/api/overview', '/ui/api/nothing']) {
    const answer = await rig.send(path, { headers });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(answer.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  }
});

it('only files of the page are served', async () => {
  await using rig = await PageRig.open();
  const paths = [
    '/ui/../package.json',
    '/ui/..%2fpackage.json',
    '/ui/%2e%2e%2fpackage.json',
    '/ui//..%2F../package.json',
    '/ui/page.js.map',
    '/ui/index.html/',
  ];
  for (const path of paths) expect([path, (await rig.send(path)).status]).toEqual([path, 404]);
});

it('a front without the page serves none', async () => {
  await using rig = await PageRig.open({}, { mounted: undefined });
  expect((await rig.send('/ui/')).status).toBe(404);
});

it('a front for the page alone serves nothing else', async () => {
  await using rig = await PageRig.open({}, { mountedOnly: true });
  expect((await rig.send('/ui/')).status).toBe(200);
  for (const path of ['/mcp', '/metrics', '/healthz', '/readyz', '/ui-other'])
    expect((await rig.send(path)).status).toBe(404);
  expect((await rig.send('/ui/', { headers: { host: 'evil.example' } })).status).toBe(403);
});
