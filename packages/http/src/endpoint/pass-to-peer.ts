import { request as newRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Admitted } from '../entrance/admitted.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import type { HttpLimits } from '../session/http-limits.js';
import { UNKNOWN_SESSION, SESSION_UNREACHABLE } from '../session/session-refusals.js';

/** Headers that apply only to a single connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const PEER_LOST: Refusal = {
  status: 502,
  message: 'The node with this session did not answer. What the request did may have had effects.',
};

/** Passes a request to the front that has its session, and the front's response unchanged to the client. */
export async function passToPeer(
  admitted: Admitted,
  pendingConnection: Promise<Duplex | 'gone'>,
  { stallMs }: Pick<HttpLimits, 'stallMs'>,
): Promise<void> {
  const { request, response } = admitted;
  let connection: Duplex | 'gone';
  try {
    connection = await pendingConnection;
  } catch {
    return refuse(response, SESSION_UNREACHABLE);
  }
  // The session ended with its front. This response makes the client open a new session.
  if (connection === 'gone') return refuse(response, UNKNOWN_SESSION);
  try {
    const peerResponse = await sendRequest(request, connection);
    for (const [name, value] of Object.entries(peerResponse.headers))
      if (value !== undefined && !HOP_BY_HOP_HEADERS.has(name)) response.setHeader(name, value);
    response.writeHead(peerResponse.statusCode ?? PEER_LOST.status).flushHeaders();
    response.once('close', () => connection.destroy());
    // The other front regularly sends data on an event stream, so inactivity means that the client does not read.
    if (peerResponse.headers['content-type'] === 'text/event-stream')
      response.setTimeout(stallMs, () => response.destroy());
    await pipeline(peerResponse, response);
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, PEER_LOST);
  } finally {
    connection.destroy();
  }
}

/** Sends the request over the connection. Resolves to the head of the response. */
function sendRequest(request: IncomingMessage, connection: Duplex): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url: path } = request;
    const headers = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP_HEADERS.has(name));
    const peerRequest = newRequest({
      method,
      path,
      headers: Object.fromEntries(headers),
      createConnection: () => connection,
    });
    peerRequest.once('response', resolve).once('error', reject);
    connection.once('close', () => reject(new Error('the connection to the other node was closed')));
    request.once('close', () => {
      if (!request.complete) peerRequest.destroy();
    });
    request.pipe(peerRequest);
  });
}
