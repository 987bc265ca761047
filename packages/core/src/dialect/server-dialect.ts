import type { OutgoingLine, Span, OwnedLine } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';
import type { Era } from './era.js';
import type { ServerIdentity } from './server-identity.js';

/** A successful response to a request of mcpmux itself: the line and where its result stands. */
export interface OwnResult {
  readonly line: OwnedLine;
  readonly result: Span;
}

/** Sends messages of mcpmux itself to one run of a server. */
export interface ServerLink {
  /** Rejects when the server answers an error, is late, or its run ends. */
  request(method: string, params: unknown, timeoutMs: number): Promise<OwnResult>;
  notify(method: string, params?: unknown): void;
}

/** The messages that open a run: they leave one by one, before all others. */
export interface Opening {
  readonly request: string;
  /** The notification that follows the answer. */
  readonly notification: string;
}

/** The messages of the lifecycle that servers of one era of the protocol speak. Without state: one serves all runs. */
export interface ServerDialect {
  readonly era: Era;
  readonly opening: Opening;
  /** Opens a run. Rejects when the server refuses, is late, or answers something else. */
  open(link: ServerLink, as: ClientProfile, timeoutMs: number): Promise<ServerIdentity>;
  /** Asks whether a server still answers. */
  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown>;
  /** Asks for the log messages of this level and above. */
  setLogLevel(link: ServerLink, level: string, timeoutMs: number): Promise<unknown>;
  /** Asks to be told when a resource changes. */
  subscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  unsubscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  /** The line by which mcpmux withdraws a request with this id. */
  cancellation(id: number, reason: string): OutgoingLine;
  /** The notification by which a server withdraws a request of its own, named in `params.requestId`. */
  readonly withdrawal: string;
  /** Requests of a server that mcpmux answers itself: the results as JSON text, by method. */
  readonly ownAnswers: ReadonlyMap<string, string>;
}
