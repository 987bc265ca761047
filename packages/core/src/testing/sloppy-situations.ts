import { gzipSync } from 'node:zlib';

import type { Way } from './sloppy-server.js';
import { type Asked, type Change, type Reply, WORDS } from './sloppy-server.js';

type Members = Readonly<Record<string, unknown>>;

/** Changes the JSON of the answers to this method. */
function json(method: string, change: (answer: Members, asked: Asked) => unknown): Change {
  return (reply, asked, answer) =>
    asked.method === method ? withBody(reply, JSON.stringify(change(answer as Members, asked))) : reply;
}

function result(method: string, change: (members: Members) => unknown): Change {
  return json(method, (answer) =>
    'result' in answer ? { ...answer, result: change(answer['result'] as Members) } : answer,
  );
}

function tools(members: object): Change {
  return result('tools/list', (list) => ({
    ...list,
    tools: (list['tools'] as object[]).map((tool) => Object.assign(tool, members)),
  }));
}

function withBody(reply: Reply, body: Buffer | string): Reply {
  return { ...reply, bytes: Buffer.from(body) };
}

export const SOUND: Change = (reply) => reply;
const CALL = 'tools/call';

/** Situations of public bug reports that a server of either kind may bring about. */
export const SITUATIONS: readonly (readonly [
  name: string,
  change: Change,
  ways?: readonly Way[],
  status?: number,
])[] = [
  ['a sound server', SOUND],
  ['F1: Latin-1', (reply) => withBody(reply, Buffer.from(reply.bytes.toString(), 'latin1'))],
  [
    'F2: streams that stay open',
    (reply) => ({
      ...withBody(reply, `data: ${reply.bytes.toString()}\n\n`),
      headers: { 'content-type': 'text/event-stream' },
      isEndless: true,
    }),
    ['http'],
  ],
  [
    'F3: gzip',
    (reply) => ({
      ...withBody(reply, gzipSync(reply.bytes)),
      headers: { ...reply.headers, 'content-encoding': 'gzip' },
    }),
    ['http'],
  ],
  ['F5: ids as text', json(CALL, (answer) => ({ ...answer, id: String(answer['id']) }))],
  ['F7: an error that is null', json(CALL, (answer) => ({ error: null, ...answer }))],
  [
    'F8: an error without an id',
    json(CALL, (answer) => ({ ...answer, id: 'error' in answer ? null : answer['id'] })),
  ],
  ['F9: 200 to notifications', SOUND, ['http'], 200],
  ['F9: 204 to notifications', SOUND, ['http'], 204],
  ['F13: title null', tools({ title: null })],
  ['F13: required null', tools({ inputSchema: { type: 'object', required: null } })],
  ['F13: properties []', tools({ inputSchema: { type: 'object', properties: [] } })],
  ['F13: no type', tools({ inputSchema: { properties: {} } })],
  ['F13: annotations null', tools({ annotations: null, outputSchema: null })],
  ['F13: a list that is null', result('tools/list', (list) => ({ ...list, tools: null }))],
  ['F14: no capabilities', result('initialize', (members) => ({ ...members, capabilities: {} }))],
  ['W4: no jsonrpc', json(CALL, (answer) => ({ ...answer, jsonrpc: undefined }))],
  [
    'W4: an error as text',
    json(CALL, (answer) => ('error' in answer ? { ...answer, error: WORDS } : answer)),
  ],
  [
    'W6: revision 2024-10-07',
    result('initialize', (members) => ({ ...members, protocolVersion: '2024-10-07' })),
  ],
  [
    'an error with status 400',
    (reply, _, answer) => ('error' in answer ? { ...reply, status: 400 } : reply),
    ['http'],
  ],
  [
    'an error with status 500',
    (reply, _, answer) => ('error' in answer ? { ...reply, status: 500 } : reply),
    ['http'],
  ],
  ['one byte at a time', (reply) => ({ ...reply, chunk: 1 })],
];
