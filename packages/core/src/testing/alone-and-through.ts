import {
  Client as ClientV2,
  InMemoryTransport as InMemoryTransportV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { StdioServerTransport as StreamsV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StdioServerTransport as StreamsV2 } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '@mcpmux/kit';

import { createMux, type Mux } from '../index.js';
// The start of the first server must not wait for the parts that are loaded with it.
import '../server/run/url-endpoint.js';
import type { Course, Outcome, ThroughCourse } from './course.js';
import type { Era, SloppyServer, Way } from './sloppy-server.js';

/** The version of the official SDK; version 1 speaks the legacy era alone. */
export type Sdk = 'v1' | 'v2';

interface SdkClient {
  readonly listed: () => Promise<unknown>;
  readonly call: (name: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const CLIENT = { name: 'rig', version: '1' };
/** A client that is alone and has heard nothing until then is treated as one that hangs. */
const ALONE_MS = 1500;
/** What mcpmux allows a server, and a client of mcpmux to wait beyond that. */
const SERVER_MS = 6000;
const THROUGH_MS = 4 * SERVER_MS;
const SKIPPED: Outcome = { kind: 'hangs' };
/** The tools of the server, as a client sees them: by their names behind the prefix. */
const PREFIX = 'x__';

/** One script, run by the official client of this era against the server alone. */
export async function alone(server: SloppyServer, way: Way, sdk?: Sdk): Promise<Course> {
  const client = newClient(server.era, sdk);
  const opened = await outcomeOf(client.connect(server, way), ALONE_MS);
  const course = await rest(client, opened, '', ALONE_MS);
  await client.close().catch(() => undefined);
  return course;
}

/** The same script, run by the same client through a mux that has the server. */
export async function through(server: SloppyServer, way: Way, sdk?: Sdk): Promise<ThroughCourse> {
  const mux = createMux({}, { limits: { listTimeoutMs: SERVER_MS } });
  const client = newClient(server.era, sdk);
  try {
    const opened = await outcomeOf(added(mux, server, way), THROUGH_MS);
    await client.join(mux);
    const course = await rest(client, opened, PREFIX, THROUGH_MS);
    const isAlive = await outcomeOf(client.listed(), THROUGH_MS);
    return { ...course, isAlive: isAlive.kind === 'works' };
  } finally {
    await client.close().catch(() => undefined);
    await mux.close();
  }
}

function added(mux: Mux, server: SloppyServer, way: Way): Promise<unknown> {
  const common = { startTimeoutMs: SERVER_MS, callTimeoutMs: SERVER_MS, protocol: server.era } as const;
  if (way === 'http') return mux.addServer('x', { ...common, url: server.url });
  return mux.addServer('x', {
    ...common,
    address: 'test:x',
    advice: 'Look at the test.',
    open: () => {
      const { input, output } = server.streams();
      return Promise.resolve({ input, output });
    },
  });
}

async function rest(client: SdkClient, opened: Outcome, prefix: string, withinMs: number): Promise<Course> {
  if (opened.kind !== 'works') return { opened, listed: SKIPPED, said: SKIPPED, failed: SKIPPED };
  const listed = await outcomeOf(client.listed(), withinMs);
  const names = listed.kind === 'works' ? (listed.value as readonly string[]) : [];
  const own = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const calls = async (name: string): Promise<Outcome> =>
    own.includes(name) ? outcomeOf(client.call(`${prefix}${name}`), withinMs) : SKIPPED;
  const outcome = listed.kind === 'works' ? { kind: 'works' as const, value: own } : listed;
  return { opened, listed: outcome, said: await calls('say'), failed: await calls('fail') };
}

async function outcomeOf(work: Promise<unknown>, withinMs: number): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'hangs' }), withinMs);
  });
  const done = work.then(
    (value): Outcome => ({ kind: 'works', value }),
    (error: unknown): Outcome => ({ kind: 'fails', reason: messageOf(error) }),
  );
  const outcome = await Promise.race([done, late]);
  clearTimeout(timer);
  return outcome;
}

function newClient(era: Era, sdk: Sdk = era === 'legacy' ? 'v1' : 'v2') {
  return sdk === 'v1' ? clientV1() : clientV2(era);
}

function clientV1() {
  const client = new ClientV1(CLIENT);
  return {
    connect: (server: SloppyServer, way: Way) => {
      const { input, output } = server.streams();
      const transport = way === 'http' ? new HttpV1(new URL(server.url)) : new StreamsV1(input, output);
      return client.connect(transport);
    },
    join: (mux: Mux) => {
      const [near, far] = InMemoryTransportV1.createLinkedPair();
      mux.connect(far);
      return client.connect(near);
    },
    listed: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string) => client.callTool({ name, arguments: { a: 'b' } }),
    close: () => client.close(),
  };
}

function clientV2(era: Era) {
  const mode = era === 'legacy' ? ('legacy' as const) : { pin: '2026-07-28' };
  const client = new ClientV2(CLIENT, { versionNegotiation: { mode } });
  return {
    connect: (server: SloppyServer, way: Way) => {
      const { input, output } = server.streams();
      const transport = way === 'http' ? new HttpV2(new URL(server.url)) : new StreamsV2(input, output);
      return client.connect(transport);
    },
    join: (mux: Mux) => {
      const [near, far] = InMemoryTransportV2.createLinkedPair();
      mux.connect(far);
      return client.connect(near);
    },
    listed: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name: string) => client.callTool({ name, arguments: { a: 'b' } }),
    close: () => client.close(),
  };
}
