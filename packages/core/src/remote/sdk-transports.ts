import {
  ClientCredentialsProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

import type { RemoteTransportInit, RemoteTransports } from './remote-transport.js';
import { SessionTokens } from './sdk-session-tokens.js';

/** How often a broken stream is opened again before its server counts as gone: for about eight minutes. */
export const MAX_RECONNECTIONS = 20;

const RECONNECTION = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: MAX_RECONNECTIONS,
};
/** A server may ask to be called again at once; not in a loop. */
const MIN_DELAY_MS = 200;

/** The transports of the official SDK. Loaded when the first server at a url starts, and only then. */
export const sdkTransports: RemoteTransports = {
  streamableHttp: (init) =>
    new StreamableHTTPClientTransport(init.url, {
      ...options(init),
      reconnectionOptions: RECONNECTION,
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = init.schedule(reconnect, Math.max(delayMs, MIN_DELAY_MS));
        return () => timer.cancel();
      },
    }),
  sse: (init) => new SSEClientTransport(init.url, options(init)),
};

/** The SDK finds the authorization server, gets a token, and another one when the server takes it no more. */
function options({ url, headers, fetch, clientCredentials, login }: RemoteTransportInit) {
  const common = { requestInit: { headers }, fetch };
  if (clientCredentials === undefined)
    return { ...common, ...(login && { authProvider: new SessionTokens(url.href, login, fetch) }) };
  const { issuer: expectedIssuer, ...client } = clientCredentials;
  const provider = new ClientCredentialsProvider({ ...client, expectedIssuer, clientName: 'mcpmux' });
  return { ...common, authProvider: provider };
}
