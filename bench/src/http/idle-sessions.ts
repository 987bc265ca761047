import { Agent, request, type IncomingMessage } from 'node:http';

import { StreamableHttpConnection } from '../load/streamable-http-connection.js';
import { RawClient } from '../load/raw-client.js';
import { rssBytes } from '../measure/process-usage.js';
import { echoServer } from '../forwarding/lineup.js';
import { startFront, type HttpFront } from './http-front.js';

/** So many sessions are there before anything is counted: code is compiled then, and memory pools exist. */
const FIRST = 100;
const AT_ONCE = 20;
const SETTLE_MS = 3000;

interface IdleSession {
  leave(): Promise<void>;
}

/** Memory that one idle session with an open stream holds in mcpmux, beyond the first hundred. */
export async function idleSessionBytes(sessions: number): Promise<number> {
  await using front = await startFront('mcpmux', echoServer('100b'), FIRST + sessions);
  const open: IdleSession[] = [];
  await openSome(front, FIRST, open);
  const before = await settled(front);
  await openSome(front, sessions, open);
  const after = await settled(front);
  await Promise.all(open.map((session) => session.leave()));
  return (after - before) / sessions;
}

async function openSome(front: HttpFront, count: number, into: IdleSession[]): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => idleSession(front));
    into.push(...(await Promise.all(some)));
  }
}

async function idleSession(front: HttpFront): Promise<IdleSession> {
  const connection = new StreamableHttpConnection(front.url, front);
  await new RawClient(connection).initialize();
  const agent = new Agent();
  const headers = { ...connection.headers(), accept: 'text/event-stream' };
  const stream = request(front.url, { agent, headers });
  const opened = new Promise<IncomingMessage>((resolve, reject) => {
    stream.on('response', resolve).on('error', reject);
  });
  stream.end();
  (await opened).resume().on('error', () => undefined);
  return {
    leave: async () => {
      stream.destroy();
      await connection.endSession();
    },
  };
}

async function settled({ pid }: HttpFront): Promise<number> {
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS);
  });
  return rssBytes(pid);
}
