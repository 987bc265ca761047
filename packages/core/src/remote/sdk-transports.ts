import {
  ClientCredentialsProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

import type { ClientCredentials } from './remote-endpoint.js';
import type { RemoteTransports } from './remote-transport.js';

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
  streamableHttp: ({ url, headers, fetch, schedule, clientCredentials }) =>
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch,
      ...authorization(clientCredentials),
      reconnectionOptions: RECONNECTION,
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = schedule(reconnect, Math.max(delayMs, MIN_DELAY_MS));
        return () => timer.cancel();
      },
    }),
  sse: ({ url, headers, fetch, clientCredentials }) =>
    new SSEClientTransport(url, { requestInit: { headers }, fetch, ...authorization(clientCredentials) }),
};

/** The SDK finds the authorization server, gets a token, and another one when the server takes it no more. */
function authorization(
  credentials: ClientCredentials | undefined,
): { authProvider: ClientCredentialsProvider } | undefined {
  if (credentials === undefined) return undefined;
  const { issuer: expectedIssuer, ...client } = credentials;
  return {
    authProvider: new ClientCredentialsProvider({ ...client, expectedIssuer, clientName: 'mcpmux' }),
  };
}
