import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { FakeSpawner, type FakeRequest, type FakeServer } from '../testing/fake-server.js';
import { modernLine } from '../testing/modern-lines.js';
import { MuxClient, type Response } from '../testing/mux-client.js';
import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';

const SKILLS = 'io.modelcontextprotocol/skills';

/** Files by URI. */
type Files = Readonly<Record<string, string>>;

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A skill of these files, as text: numbers are as their author has written them. */
function skill(
  files: Files,
  frontmatter = '{"name":"refunds","description":"Refunds","metadata":{"v":1.0}}',
): string {
  const [uri] = Object.keys(files);
  const resources = Object.entries(files).map(([file, text]) => ({
    uri: file,
    digest: digestOf(text),
    size: Buffer.byteLength(text),
  }));
  return `{"uri":${JSON.stringify(uri)},"frontmatter":${frontmatter},"resources":${JSON.stringify(resources)}}`;
}

interface SkillServer {
  /** One page each. */
  readonly skills: readonly string[];
  readonly unlisted?: string;
  readonly files: Files;
  readonly directoryRead?: boolean;
}

function answer(server: FakeServer, { id }: FakeRequest, result: string): void {
  server.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

/** A mux with servers that have skills; a server without is one without files. */
async function muxWith(servers: Readonly<Record<string, SkillServer | 'plain'>>): Promise<Mux> {
  const spawner = new FakeSpawner(({ args }) => {
    const own = servers[args[0] ?? ''];
    if (own === undefined || own === 'plain') return {};
    return { intercept: (request, proceed, server) => serve(own, request, proceed, server) };
  });
  const mux = createMux({}, { spawn: spawner.spawn });
  for (const name of Object.keys(servers))
    await mux.addServer(name, { command: process.execPath, args: [name] });
  return mux;
}

function serve(own: SkillServer, request: FakeRequest, proceed: () => void, server: FakeServer): void {
  const { cursor, uri = '' } = (request.params ?? {}) as { readonly cursor?: string; readonly uri?: string };
  const unknown = (): void => {
    const error = { code: -32_602, message: 'unknown' };
    server.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, error }));
  };
  switch (request.method) {
    case 'initialize':
      return server.answer(request, initialized(own));
    case 'resources/list':
      return server.answer(request, { resources: [] });
    case 'skills/list':
      return answer(server, request, page(own, Number(cursor ?? 0)));
    case 'skills/get': {
      const found = [...own.skills, own.unlisted ?? ''].find((one) => one.startsWith(`{"uri":"${uri}"`));
      return found === undefined ? unknown() : answer(server, request, `{"skill":${found}}`);
    }
    case 'resources/read': {
      const text = own.files[uri];
      return text === undefined ? unknown() : server.answer(request, { contents: [{ uri, text }] });
    }
    default:
      return request.method.startsWith('resources/') ? unknown() : proceed();
  }
}

function initialized({ directoryRead }: SkillServer): object {
  const settings = directoryRead === true ? { directoryRead: true } : {};
  const capabilities = { resources: {}, extensions: { [SKILLS]: settings } };
  return { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } };
}

function page({ skills }: SkillServer, number: number): string {
  const next = number + 1 < skills.length ? `,"nextCursor":"${number + 1}"` : '';
  return `{"skills":[${skills[number] ?? ''}]${next}}`;
}

interface Listed {
  readonly uri: string;
  readonly _meta: Readonly<Record<string, unknown>>;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly resources: readonly { readonly uri: string; readonly digest: string }[];
}

async function skillsOf(client: MuxClient): Promise<readonly Listed[]> {
  const { result } = await client.request('skills/list');
  return result?.['skills'] as readonly Listed[];
}

async function textAt(client: MuxClient, uri: string): Promise<string | undefined> {
  const { result } = await client.request('resources/read', { uri });
  const contents = result?.['contents'] as
    | readonly { readonly uri: string; readonly text: string }[]
    | undefined;
  expect(contents?.[0]?.uri).toBe(uri);
  return contents?.[0]?.text;
}

const A_FILES = { 'skill://refunds/SKILL.md': 'of a', 'skill://refunds/templates/mail.md': 'mail of a' };
const B_FILES = { 'skill://refunds/SKILL.md': 'of b', 'skill://refunds/templates/mail.md': 'mail of b' };
const A: SkillServer = {
  skills: [skill(A_FILES), skill({ 'skill://other/SKILL.md': 'other' })],
  files: A_FILES,
};
const B: SkillServer = { skills: [skill(B_FILES)], files: B_FILES, directoryRead: true };

it('the skills of an idle server are listed and got: the server starts', async () => {
  const spawner = new FakeSpawner(() => ({
    intercept: (request, proceed, server) => serve(A, request, proceed, server),
  }));
  await using mux = createMux({}, { spawn: spawner.spawn });
  const idle = new Promise<void>((resolve) => {
    mux.on('server:state', ({ status }) => status === 'idle' && resolve());
  });
  await mux.addServer('a', { command: process.execPath, idleTimeoutMs: 20 });
  await idle;
  const client = await MuxClient.initialized(mux);
  expect(await skillsOf(client)).toHaveLength(2);
});

describe('the skills of servers', () => {
  it('are one list with the origin of each, all pages of all servers', async () => {
    await using mux = await muxWith({ a: A, plain: 'plain', b: B });
    const client = await MuxClient.initialized(mux);
    const skills = await skillsOf(client);
    expect(skills.map(({ uri, _meta: meta }) => [uri, meta['dev.mcpmux/server']])).toEqual([
      ['skill://refunds/SKILL.md', 'a'],
      ['skill://other/SKILL.md', 'a'],
      ['skill://b/refunds/SKILL.md', 'b'],
    ]);
    const line = client.lines.find((one) => one.includes('"skills":['));
    expect(line).toContain('"metadata":{"v":1.0}');
  });

  it('have digests that the files have when they are read, whichever server they are from', async () => {
    await using mux = await muxWith({ a: A, b: B });
    const client = await MuxClient.initialized(mux);
    const [first, , second] = await skillsOf(client);
    for (const { resources } of [first, second].filter((one) => one !== undefined))
      for (const { uri, digest } of resources)
        expect(digestOf((await textAt(client, uri)) ?? '')).toBe(digest);
    expect(second?.resources.map(({ uri }) => uri)).toEqual([
      'skill://b/refunds/SKILL.md',
      'skill://b/refunds/templates/mail.md',
    ]);
  });

  it('are got by their URIs, listed or not, and by those that clients see', async () => {
    const files = { 'skill://hidden/SKILL.md': 'hidden' };
    await using mux = await muxWith({ a: A, b: { ...B, unlisted: skill(files) } });
    const client = await MuxClient.initialized(mux);
    await skillsOf(client);
    const get = async (uri: string): Promise<Response> => client.request('skills/get', { uri });
    expect((await get('skill://hidden/SKILL.md')).result?.['skill']).toMatchObject({
      uri: 'skill://hidden/SKILL.md',
      _meta: { 'dev.mcpmux/server': 'b' },
    });
    expect((await get('skill://b/refunds/SKILL.md')).result?.['skill']).toMatchObject({
      uri: 'skill://b/refunds/SKILL.md',
      resources: [{ digest: digestOf('of b') }, {}],
    });
    expect((await get('skill://none/SKILL.md')).error).toMatchObject({ code: -32602 });
  });

  it('are neither listed nor got for a principal that may not use their server', async () => {
    await using mux = await muxWith({ a: A, b: B });
    mux.use({ shows: (_, server) => server !== 'a' });
    const client = await MuxClient.initialized(mux);
    expect((await skillsOf(client)).map(({ uri }) => uri)).toEqual(['skill://refunds/SKILL.md']);
    expect(await textAt(client, 'skill://refunds/SKILL.md')).toBe('of b');
  });

  it('do not bring their readers to files of other folders', async () => {
    const evil = skill({ 'skill://evil/SKILL.md': 'x', 'skill://refunds/SKILL.md': 'y' });
    await using mux = await muxWith({
      evil: { skills: [evil], files: { 'skill://refunds/SKILL.md': 'of evil' } },
      a: A,
    });
    const client = await MuxClient.initialized(mux);
    await skillsOf(client);
    expect(await textAt(client, 'skill://refunds/SKILL.md')).toBe('of a');
  });

  it('are left out of the list while their server fails, and what is no skill always', async () => {
    const broken = { skills: ['{"name":"no uri"}', '5', skill({ 'skill://x/README.md': 'x' })], files: {} };
    await using mux = await muxWith({ a: A, broken });
    const client = await MuxClient.initialized(mux);
    expect(await skillsOf(client)).toHaveLength(2);
  });

  it('are declared, with folders if any server reads them, and listed to clients of 2026-07-28', async () => {
    await using mux = await muxWith({ a: A, b: B });
    const client = new MuxClient(mux);
    client.send(modernLine('1', 'server/discover'));
    expect(JSON.parse(await client.responseLine('1'))).toMatchObject({
      result: { capabilities: { extensions: { [SKILLS]: { directoryRead: true } } } },
    });
    client.send(modernLine('2', 'skills/list'));
    expect(JSON.parse(await client.responseLine('2'))).toMatchObject({
      result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', skills: [{}, {}, {}] },
    });
  });

  it('are an unknown method where no server has any', async () => {
    await using mux = await muxWith({ plain: 'plain', other: 'plain' });
    const client = await MuxClient.initialized(mux);
    expect((await client.request('skills/list')).error).toMatchObject({ code: -32601 });
  });
});
