import { extractWWWAuthenticateParams, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Clock, isRecord, redactUrl, waitAtMost } from '@mcpmux/kit';

import { timeoutError } from './describe-problem.js';
import { DOCUMENT_TIMEOUT_MS } from './fetch-in-time.js';
import type { LoginProbe, ProbeMessage } from './login-init.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import type { Fetch } from './fetch.js';

/** The parameters of a response's `WWW-Authenticate` header. Empty if the header is absent. */
export type LoginChallenge = ReturnType<typeof extractWWWAuthenticateParams> & {
  /** True if no request required a login. */
  readonly isPublic: boolean;
};

const MAX_TERMINATION_MS = 1000;

/** Sends a message. Rejects if the server does not accept the message before a timeout. */
type Send = (message: ProbeMessage) => Promise<void>;

/**
 * Sends messages to a server to find out whether it requires a login for any of them. Many servers open a session for
 * every client, so one message is not enough. Rejects if the server does not respond.
 */
export async function requestLoginChallenge(
  { url, headers }: RemoteEndpoint,
  probe: LoginProbe,
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
): Promise<LoginChallenge> {
  const answers: Response[] = [];
  const watched: Fetch = async (target, init) => {
    const response = await fetch(target, init);
    if (init?.method === 'POST') answers.push(response);
    return response;
  };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: watched });
  const send: Send = async (message) => {
    if (await waitAtMost(DOCUMENT_TIMEOUT_MS, transport.send(message), clock)) return;
    throw timeoutError(redactUrl(url.href), DOCUMENT_TIMEOUT_MS);
  };
  try {
    await transport.start();
    await sendProbe(transport, probe, { send, clock }).catch(async (error: unknown) => {
      const [first] = answers;
      if (first === undefined || first.ok || isLoginChallenge(first)) throw error;
      // A server that does not support sessions may still require a login.
      const requests = probe.following.filter(({ id }) => id !== undefined);
      for (const request of requests) await send(request);
    });
    return { isPublic: true };
  } catch (error) {
    const lastResponse = answers.at(-1);
    if (lastResponse === undefined || lastResponse.ok) throw error;
    // A server that did not open a session may require a login, even if its error message does not say so.
    const isPublic = answers[0]?.ok === true && !isLoginChallenge(lastResponse);
    return { ...extractWWWAuthenticateParams(lastResponse), isPublic };
  } finally {
    const termination = transport.terminateSession().catch(() => undefined);
    await waitAtMost(MAX_TERMINATION_MS, termination, clock);
    await transport.close();
  }
}

/** Sends the messages in turn. Rejects if the server rejects one. */
async function sendProbe(
  transport: StreamableHTTPClientTransport,
  probe: LoginProbe,
  { send, clock }: { readonly send: Send; readonly clock: Clock },
): Promise<void> {
  const opened = new Promise<unknown>((resolve) => (transport.onmessage = resolve));
  await send(probe.opening);
  if (!(await waitAtMost(DOCUMENT_TIMEOUT_MS, opened, clock))) return;
  const reply = await opened;
  const result = isRecord(reply) ? reply['result'] : undefined;
  const version = isRecord(result) ? result['protocolVersion'] : undefined;
  if (typeof version !== 'string') return;
  transport.setProtocolVersion(version);
  for (const message of probe.following) await send(message);
}

function isLoginChallenge({ status }: Response): boolean {
  return status === 401 || status === 403;
}
