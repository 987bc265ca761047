import { gzipSync } from 'node:zlib';

import { isRecord } from '@mcpmux/kit';
import { seededRandom, type SeededRandom } from '@mcpmux/testing/seeded-random';

import type { Way } from './sloppy-server.js';
import type { Change, Era, Reply } from './sloppy-server.js';

/** One generated fault of a sound server. */
export interface Mutation {
  readonly seed: number;
  readonly era: Era;
  readonly way: Way;
  /** The requests whose answers it changes. */
  readonly method: string;
  readonly name: string;
  readonly change: Change;
}

type Path = readonly (string | number)[];
type Kind = readonly [
  name: string,
  change: (random: SeededRandom) => (reply: Reply, answer: object) => Reply,
];

const STATUSES = [
  201, 202, 203, 204, 206, 301, 304, 400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 502, 503,
];
const TYPES = [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset="UTF-8"',
  'text/json',
  'text/plain',
  'text/html',
  'application/octet-stream',
  'text/event-stream',
  '',
];
const OTHERS: readonly unknown[] = [null, 7, -1.5, 'text', '', true, [], {}, [1], { a: 1 }];

const ON_JSON: readonly Kind[] = [
  ['null', (random) => inJson(random, () => null)],
  ['missing', (random) => inJson(random, () => undefined)],
  ['type', (random) => inJson(random, () => random.pick(OTHERS))],
  [
    'text',
    (random) => inJson(random, (value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  ],
  ['more', (random) => inJson(random, (value) => (isRecord(value) ? { ...value, 'x-more': null } : [value]))],
];
const ON_BYTES: readonly Kind[] = [
  ['Latin-1', () => inBytes((bytes) => Buffer.from(bytes.toString(), 'latin1'))],
  ['byte order mark', () => inBytes((bytes) => Buffer.concat([Buffer.from('\uFEFF'), bytes]))],
  ['UTF-16', () => inBytes((bytes) => Buffer.from(bytes.toString(), 'utf16le'))],
  ['escapes', () => inBytes((bytes) => Buffer.from(bytes.toString().replaceAll('\u00e9', '\\u00e9')))],
  ['spaces', () => inBytes((bytes) => Buffer.from(` ${bytes.toString().replaceAll(':', ' : ')} \r`))],
  ['twice', () => inBytes((bytes) => Buffer.concat([bytes, Buffer.from('\n'), bytes]))],
  ['a line before', () => inBytes((bytes) => Buffer.concat([Buffer.from('starting...\n'), bytes]))],
  ['an empty line before', () => inBytes((bytes) => Buffer.concat([Buffer.from('\r\n\n'), bytes]))],
  ['chunks', (random) => (reply) => ({ ...reply, chunk: 1 + random.integerBelow(5) })],
  ['an early end', (random) => (reply) => ({ ...reply, endsAt: random.integerBelow(reply.bytes.length) })],
];
const ON_HTTP: readonly Kind[] = [
  ['status', (random) => (reply) => ({ ...reply, status: random.pick(STATUSES) })],
  ['status', (random) => (reply) => ({ ...reply, status: random.pick(STATUSES) })],
  ['type', (random) => (reply) => withHeaders(reply, { 'content-type': random.pick(TYPES) })],
  [
    'gzip',
    () => (reply) => withHeaders({ ...reply, bytes: gzipSync(reply.bytes) }, { 'content-encoding': 'gzip' }),
  ],
  ['events', (random) => (reply) => asEvents(reply, random)],
  ['events', (random) => (reply) => asEvents(reply, random)],
  [
    'HTML',
    () => (reply) =>
      withHeaders({ ...reply, bytes: Buffer.from('<html>no</html>') }, { 'content-type': 'text/html' }),
  ],
  ['no body', () => (reply) => ({ ...reply, bytes: Buffer.alloc(0) })],
];
const METHODS: Readonly<Record<Era, readonly string[]>> = {
  legacy: ['initialize', 'tools/list', 'tools/call', 'tools/call'],
  modern: ['server/discover', 'tools/list', 'tools/call', 'tools/call'],
};

/** The fault of a seed. The same seed gives the same one. */
export function mutationOf(seed: number): Mutation {
  const random = seededRandom(seed);
  const era: Era = seed % 2 === 0 ? 'legacy' : 'modern';
  const way: Way = seed % 4 < 2 ? 'streams' : 'http';
  const method = random.pick(METHODS[era]);
  const kinds =
    way === 'http'
      ? [...ON_JSON, ...ON_BYTES, ...ON_HTTP, ...ON_HTTP]
      : [...ON_JSON, ...ON_JSON, ...ON_BYTES];
  const [name, make] = random.pick(kinds);
  // Every answer of a run is changed alike.
  const change: Change = (reply, asked, answer) =>
    asked.method === method ? make(seededRandom(seed + 1_000_003))(reply, answer) : reply;
  return { seed, era, way, method, name, change };
}

function inBytes(change: (bytes: Buffer) => Buffer): (reply: Reply) => Reply {
  return (reply) => ({ ...reply, bytes: change(reply.bytes) });
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  const all = Object.entries({ ...reply.headers, ...headers }).filter(([, value]) => value !== '');
  return { ...reply, headers: Object.fromEntries(all) };
}

function asEvents(reply: Reply, random: SeededRandom): Reply {
  const end = random.pick(['\n', '\r\n', '\r']);
  const before = random.pick([
    '',
    `: ping${end}${end}`,
    `event: message${end}`,
    `id: 1${end}`,
    `event: other${end}`,
    'retry: 1\n',
  ]);
  const bytes = Buffer.from(
    `${before}data: ${reply.bytes.toString()}${end}${random.pick([end, end, end, ''])}`,
  );
  const isEndless = random.integerBelow(2) === 0;
  return { ...withHeaders(reply, { 'content-type': 'text/event-stream' }), bytes, isEndless };
}

function inJson(
  random: SeededRandom,
  change: (value: unknown) => unknown,
): (reply: Reply, answer: object) => Reply {
  return (reply, answer) => {
    const copy = structuredClone(answer);
    const path = random.pick(pathsOf(copy));
    changeAt(copy, path, change);
    return { ...reply, bytes: Buffer.from(JSON.stringify(copy)) };
  };
}

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}

function changeAt(value: object, [key = '', ...more]: Path, change: (value: unknown) => unknown): void {
  const members = value as Record<string | number, unknown>;
  if (more.length > 0) return changeAt(members[key] as object, more, change);
  members[key] = change(members[key]);
}
