import {
  ClientCredentialsProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type OAuthTokens,
} from '@modelcontextprotocol/client';

import { requireBearer } from './bearer-token.js';
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
  const requestInit = { headers };
  if (login !== undefined && clientCredentials === undefined) {
    const tokens = new SessionTokens(url.href, login, fetch);
    return { requestInit, fetch: tokens.fetch, authProvider: tokens };
  }
  if (clientCredentials === undefined) return { requestInit, fetch };
  const { issuer: expectedIssuer, ...client } = clientCredentials;
  const provider = new BearerCredentials({ ...client, expectedIssuer, clientName: 'mcpmux' });
  return { requestInit, fetch, authProvider: provider };
}

/** Credentials of mcpmux itself, for which it accepts bearer tokens only. */
class BearerCredentials extends ClientCredentialsProvider {
  override saveTokens(tokens: OAuthTokens): void {
    requireBearer(tokens);
    super.saveTokens(tokens);
  }
}
