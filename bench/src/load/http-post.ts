import { request, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

/** A message on its way over HTTP. */
export interface Post {
  readonly url: URL;
  readonly agent: Agent;
  readonly headers: OutgoingHttpHeaders;
  readonly message: string;
  readonly onResponse: (response: IncomingMessage) => void;
  /** The message did not get through, or was answered with a status above 299. */
  readonly onFailure: (reason: Error) => void;
}

/** Posts a message. On a kept connection that the peer closes in this moment, once more. */
export function post(message: Post): void {
  const { url, agent, headers, onResponse, onFailure } = message;
  const outgoing = request(url, { method: 'POST', agent, headers });
  outgoing.on('response', (response) => {
    const { statusCode = 0 } = response;
    if (statusCode >= 300) onFailure(new Error(`HTTP status ${statusCode} of ${url.href}`));
    onResponse(response);
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.reusedSocket && error.code === 'ECONNRESET') post(message);
    else onFailure(error);
  });
  outgoing.end(message.message);
}
