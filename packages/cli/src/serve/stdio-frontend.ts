import process from 'node:process';

import type { ClientSession, ConnectOptions, Mux, StreamPair } from '@mcpmux/core';

import type { Frontend } from './frontend.js';
import { ServerNeed } from './server-need.js';

/** Serves one client on stdin and stdout. */
export function openStdio(mux: Mux): Frontend {
  return openClientFrontend(mux, { input: process.stdin, output: process.stdout });
}

/** The frontend for one client. */
export interface ClientFrontend extends Frontend {
  readonly session: ClientSession;
}

/** Serves one client. Requests that need servers wait until the config's servers are registered. */
export function openClientFrontend(
  mux: Pick<Mux, 'connect'>,
  streams: StreamPair,
  options: ConnectOptions = {},
): ClientFrontend {
  const need = new ServerNeed();
  let onConfigured = (): void => undefined;
  let resumeInput = (): void => undefined;
  const serversReady = new Promise<void>((resolve) => (onConfigured = resolve));
  // After a probe, the next message is read immediately, because it shows whether the client needs servers.
  const inputResumed = new Promise<void>((resolve) => (resumeInput = resolve));
  const session = mux.connect(
    { ...streams, heldUntil: Promise.race([serversReady, inputResumed]) },
    {
      ...options,
      heldUntil: serversReady,
      onRequest: (needsServers) => {
        if (!needsServers) resumeInput();
        need.recordRequest(needsServers);
      },
    },
  );
  const { closed } = session;
  void closed.then(() => need.recordDisconnect());
  const drain = (): Promise<void> => Promise.resolve(need.recordShutdown());
  return { session, closed, needed: need.decision, onConfigured, drain };
}
