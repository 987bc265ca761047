import { describe, expect, it } from 'vitest';

import { FakeRegistry } from '../testing/fake-registry.js';

const HOUR = 60 * 60_000;

async function names(registry: FakeRegistry, ...words: string[]): Promise<readonly string[]> {
  return (await registry.client.search(words)).servers.map(({ name }) => name);
}

describe('a search', () => {
  it('reads all pages, leaves out deleted servers, earlier versions and what is no server, and puts deprecated ones last', async () => {
    const registry = new FakeRegistry();
    expect(await names(registry, 'files')).toEqual([
      'io.github.example/mcp-server-files',
      'com.example/remote-files',
      'com.example/odd-files',
      'com.example/boxed-files',
      'com.example/old-files',
    ]);
    expect(registry.requests).toEqual([
      '/v0.1/servers?search=files&version=latest&limit=100',
      '/v0.1/servers?search=files&version=latest&limit=100&cursor=com.example%2Fgone-files%3A1.0.0',
    ]);
  });

  it('finds the servers with one of the words in the name, and all in name or description', async () => {
    const registry = new FakeRegistry();
    expect(await names(registry, 'Container', 'files')).toEqual(['com.example/boxed-files']);
    const sought = registry.requests.map((request) => /search=(\w+)/.exec(request)?.[1]);
    expect(sought).toEqual(['container', 'container', 'files', 'files']);
    expect(await names(registry, 'Container')).toEqual([]);
  });

  it('seeks the four longest words alone', async () => {
    const registry = new FakeRegistry();
    await names(registry, 'a', 'bb', 'ccc', 'dddd', 'eeeee', 'EEEEE');
    const sought = registry.requests.map((request) => /search=(\w+)/.exec(request)?.[1]);
    expect([...new Set(sought)]).toEqual(['eeeee', 'dddd', 'ccc', 'bb']);
  });

  it('asks again only after an hour', async () => {
    const registry = new FakeRegistry();
    await names(registry, 'files');
    registry.now += HOUR - 1;
    await names(registry, 'files');
    expect(registry.requests).toHaveLength(2);
    registry.now += 1;
    await names(registry, 'files');
    expect(registry.requests).toHaveLength(4);
  });

  it('reads a member that is null as one that is absent', async () => {
    const registry = new FakeRegistry();
    const server = {
      name: 'com.example/nulls',
      description: 'x',
      version: '1',
      packages: null,
      remotes: null,
    };
    registry.broken = Response.json({ servers: [{ server, _meta: null }], metadata: { nextCursor: null } });
    expect(await names(registry, 'x')).toEqual(['com.example/nulls']);
  });

  it('reads at most five pages', async () => {
    const registry = new FakeRegistry();
    registry.isEndless = true;
    expect(await registry.client.search(['x'])).toMatchObject({ hasMore: true });
    expect(registry.requests).toHaveLength(5);
  });

  it('reads at most 8 MiB of a body, and ends the request then', async () => {
    const registry = new FakeRegistry();
    const [part, limit] = [new Uint8Array(1024 * 1024), 8 * 1024 * 1024];
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        sent += part.length;
        stream.enqueue(part);
      },
      cancel: () => void (isCancelled = true),
    });
    registry.broken = new Response(body);
    await expect(registry.client.search(['x'])).rejects.toThrow(`sends more than ${limit} bytes`);
    expect(isCancelled).toBe(true);
    expect(sent).toBeLessThanOrEqual(limit + 2 * part.length);
  });
});

describe('a registry that is down', () => {
  it('is answered for by what was stored, also for other words, and the answer says of when that is', async () => {
    const registry = new FakeRegistry();
    await names(registry, 'files');
    const stored = registry.now;
    registry.isDown = true;
    registry.now += 2 * HOUR;
    expect(await registry.client.search(['files'])).toMatchObject({ staleSince: stored });
    const other = await registry.client.search(['company']);
    expect(other).toMatchObject({ staleSince: stored, servers: [{ name: 'com.example/remote-files' }] });
    const found = await registry.client.find('com.example/remote-files');
    expect(found).toMatchObject({ version: '2.0.0', staleSince: stored });
  });

  it('is asked once in a search, whatever is stored', async () => {
    const registry = new FakeRegistry();
    await names(registry, 'remote', 'files');
    registry.isDown = true;
    registry.now += 2 * HOUR;
    const asked = registry.requests.length;
    await names(registry, 'remote', 'files');
    expect(registry.requests).toHaveLength(asked + 1);
  });

  it('without anything stored is an error that names it', async () => {
    const registry = new FakeRegistry();
    registry.isDown = true;
    const message = 'The registry https://registry.example/ cannot be reached: connect ECONNREFUSED.';
    await expect(registry.client.search(['x'])).rejects.toThrow(message);
    await expect(registry.client.find('a/b')).rejects.toThrow(message);
  });

  it.each([
    ['a page of HTML', new Response('<html>'), 'does not answer with JSON'],
    ['an error', Response.json({}, { status: 503 }), 'answers with the status 503'],
    ['other JSON', Response.json({ items: [] }), 'does not know'],
    ['no such path', Response.json({}, { status: 404 }), 'has no list of servers'],
  ])('is also one that answers with %s', async (_, broken, problem) => {
    const registry = new FakeRegistry();
    registry.broken = broken;
    await expect(registry.client.search(['x'])).rejects.toThrow(problem);
  });
});

it('a server is found by its whole name, and one that the registry does not have is not', async () => {
  const registry = new FakeRegistry();
  expect(await registry.client.find('com.example/old-files')).toMatchObject({
    status: 'deprecated',
    statusMessage: 'use io.github.example/mcp-server-files',
  });
  expect(registry.requests).toEqual([
    '/v0.1/servers/com.example%2Fold-files/versions/latest?include_deleted=true',
  ]);
  expect(await registry.client.find('com.example/none')).toBeUndefined();
});

it('a server that the registry has deleted is found with the reason', async () => {
  expect(await new FakeRegistry().client.find('com.example/gone-files')).toMatchObject({
    status: 'deleted',
    statusMessage: 'was malware',
  });
});

it('members that the registry adds later change nothing', async () => {
  expect(await new FakeRegistry().client.find('com.example/all-shapes')).toMatchObject({
    version: '4.0.0-beta.1',
    status: 'active',
  });
});
