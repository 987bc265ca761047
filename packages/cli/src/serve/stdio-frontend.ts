import process from 'node:process';

import type { ClientSession, ConnectOptions, Mux, StreamPair } from '@mcpmux/core';

import type { Frontend } from './frontend.js';
import { ServerNeed } from './server-need.js';

/** Serves one client on stdin and stdout. */
export function openStdio(mux: Mux): Frontend {
  return openClient(mux, { input: process.stdin, output: process.stdout });
}

/** The front for one client. */
export interface ClientFrontend extends Frontend {
  readonly session: ClientSession;
}

/**
 * Serves one client. Its first request is answered at once. Later requests wait until the config's servers are
 * registered.
 */
export function openClient(
  mux: Pick<Mux, 'connect'>,
  streams: StreamPair,
  options: ConnectOptions = {},
): ClientFrontend {
  const need = new ServerNeed();
  let configured = (): void => undefined;
  let released = (): void => undefined;
  const heldUntil = new Promise<void>((resolve) => (configured = resolve));
  // After a probe the next message is read at once, because it shows whether servers are needed.
  const heldInput = new Promise<void>((resolve) => (released = resolve));
  const session = mux.connect(
    { ...streams, heldUntil: Promise.race([heldUntil, heldInput]) },
    {
      ...options,
      heldUntil,
      onRequest: (needsServers) => {
        if (!needsServers) released();
        need.requested(needsServers);
      },
    },
  );
  const { closed } = session;
  void closed.then(() => need.clientGone());
  const drain = (): Promise<void> => Promise.resolve(need.giveUp());
  return { session, closed, needed: need.decided, configured, drain };
}
