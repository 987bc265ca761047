import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { post } from '../load/http-post.js';
import { INITIALIZE } from '../load/raw-client.js';
import { rssBytes } from '../measure/process-usage.js';
import { programPath } from '../program-path.js';
import { startFront, type HttpFront } from './http-front.js';

/** The number of sessions before anything is counted: code is compiled then, and memory pools exist. */
const FIRST = 100;
/**
 * Memory that V8 keeps for itself would count for sessions: the space for new objects grows once, by up to 48 MB, for
 * any number of sessions, and pages with holes stay.
 */
const NODE_FLAGS = [
  '--max-semi-space-size=1',
  '--compact-on-every-full-gc',
  '--expose-gc',
  '--import',
  programPath('collect-garbage'),
];
const AT_ONCE = 20;
const SETTLE_MS = 1000;
const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

type Headers = Readonly<Record<string, string>>;

/** Memory that one idle session with an open stream holds in mcpmux. */
export async function idleSessionBytes(sessions: number): Promise<number> {
  await using front = await startFront(
    'mcpmux',
    { payload: '100b', era: 'legacy', clients: FIRST + sessions },
    NODE_FLAGS,
  );
  const first = await openSome(front, FIRST);
  const before = await settled(front);
  const more = await openSome(front, sessions);
  const after = await settled(front);
  for (const stream of [...first, ...more]) stream.destroy();
  return (after - before) / sessions;
}

async function openSome(front: HttpFront, count: number): Promise<readonly ClientRequest[]> {
  const open: ClientRequest[] = [];
  while (open.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - open.length) }, () => openOne(front));
    open.push(...(await Promise.all(some)));
  }
  return open;
}

/** A session that has only its stream: the connections of its requests are closed. */
async function openOne({ url }: HttpFront): Promise<ClientRequest> {
  const opening = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE };
  const { headers } = await posted(url, {}, opening);
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  await posted(url, session, { jsonrpc: '2.0', method: 'notifications/initialized' });
  const stream = request(url, { agent: false, headers: { ...TYPES, ...session } });
  stream.on('error', () => undefined).end();
  const [response] = (await once(stream, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).resume();
  return stream;
}

function posted(url: URL, session: Headers, message: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    post({
      url,
      agent: new Agent(),
      headers: { ...TYPES, ...session },
      message: JSON.stringify(message),
      onResponse: (response) => response.on('end', () => resolve(response)).resume(),
      onFailure: reject,
    });
  });
}

/** Its memory without garbage. */
async function settled({ pid }: HttpFront): Promise<number> {
  await delay(SETTLE_MS);
  process.kill(pid, 'SIGUSR2');
  await delay(SETTLE_MS);
  return rssBytes(pid);
}
