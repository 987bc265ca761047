import process from 'node:process';
import type { Readable, Writable } from 'node:stream';

import type { ClientSession, ConnectOptions, LogFields, Mux } from '@mcpmux/core';

import { ServerNeed } from './server-need.js';

/** One way for clients to reach mcpmux. */
export interface Frontend {
  /** Resolves when no client will come any more. */
  readonly closed: Promise<void>;
  /** Whether clients need servers, as soon as that is known; absent: they do. */
  readonly needed?: Promise<boolean>;
  /** The servers of the config are known from now on. */
  readonly configured?: () => void;
  /** Its requests live for as long as a server takes to answer; absent: for a moment, as the lines of one client. */
  readonly holdsRequests?: boolean;
  /** Where it serves, for the log. */
  readonly served?: LogFields;
  /** Refuses new requests, and lets requests in flight finish for a moment. */
  readonly drain?: () => Promise<void>;
}

/** Serves one client on stdin and stdout. */
export function openStdio(mux: Mux): Frontend {
  return openClient(mux, { input: process.stdin, output: process.stdout });
}

/** The front for one client. */
export interface ClientFrontend extends Frontend {
  readonly session: ClientSession;
}

/** The streams of a client. */
interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves one client. Its first request is answered at once. Later ones wait until the servers of the
 * config are registered.
 */
export function openClient(
  mux: Pick<Mux, 'connect'>,
  streams: ClientStreams,
  options: ConnectOptions = {},
): ClientFrontend {
  const need = new ServerNeed();
  let configured = (): void => undefined;
  let released = (): void => undefined;
  const heldUntil = new Promise<void>((resolve) => {
    configured = resolve;
  });
  // After a probe the next message is taken at once: it tells whether servers are needed.
  const heldInput = new Promise<void>((resolve) => {
    released = resolve;
  });
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
