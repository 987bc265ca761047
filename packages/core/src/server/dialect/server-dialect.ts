import type { HttpRequests } from '@mcpmux/remote';
import type { OutgoingLine, Span, OwnedLine } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';
import type { Era } from './era.js';
import type { ServerIdentity } from './server-identity.js';

/** The time in which a server must accept a request to start or stop reporting a task, in milliseconds. */
export const WATCH_TASK_MS = 10_000;

/** A successful response to a request of mcpmux itself: the line, and the span of the result in it. */
export interface OwnResult {
  readonly line: OwnedLine;
  readonly result: Span;
}

/** Sends mcpmux's own messages to one run of a server. */
export interface ServerLink {
  /** Rejects if the server answers with an error, is late, or its run ends. */
  request(method: string, params: unknown, timeoutMs: number): Promise<OwnResult>;
  notify(method: string, params?: unknown): void;
}

/** The end of a request that stays open. */
export interface LongRequestEndInit {
  readonly isRunOver: boolean;
  /** The code of the error, if the server answered with one. */
  readonly code?: number | undefined;
  /** True if the request was not delivered. Another such request may succeed. */
  readonly isLost?: boolean;
}

/** Called once, when a request that stays open has ended. */
export type LongRequestEnd = (end: LongRequestEndInit) => void;

/** The connection of one run, as the dialect of the run uses it. */
export interface RunLink extends ServerLink {
  /** Makes the run speak this dialect. */
  speak(dialect: ServerDialect): void;
  /** Sends a request that stays open. Returns its id. */
  stand(method: string, params: unknown, ended: LongRequestEnd): number;
  /** Ends a request that stays open. */
  withdraw(id: number): void;
  /** Treats a line as if the server had sent it now. */
  deliver(line: Buffer): void;
}

/** The inputs for the opening of a run. */
export interface OpeningInit {
  readonly link: RunLink;
  /** The run's requests over HTTP; undefined on a pipe. */
  readonly http?: HttpRequests | undefined;
  /** The client whose capabilities mcpmux sends to the server. */
  readonly as: ClientProfile;
  /** The only era that mcpmux tries. If undefined, mcpmux finds out the era. */
  readonly only: Era | undefined;
  /**
   * True if another run of the server speaks the other era. The server must then prove that it speaks this era, too.
   */
  readonly isSecond?: boolean;
  /** The era that mcpmux tries first. */
  readonly first: Era;
  readonly timeLeft: () => number;
  /** Called when a request is sent. A server may exit on a probe and still work without the probe. */
  readonly asking: (request: string, isProbe: boolean) => void;
  /** Called when the server has shown that it speaks only this era. */
  readonly learned: (era: Era) => void;
}

/** Opens a run in an era that its server speaks. Rejects if the server refuses, is late, or gives an invalid answer. */
export type OpenRun = (init: OpeningInit) => Promise<ServerIdentity>;

/** The messages that open a run. They are sent one by one, before all other messages. */
export interface Opening {
  readonly request: string;
  /** The notification that follows the response. */
  readonly notification: string;
}

/** The lifecycle messages of servers of one era. */
export interface ServerDialect {
  readonly era: Era;
  readonly opening: Opening;
  /** Checks that a server still answers. */
  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown>;
  /** Requests the log messages with this level and above. */
  setLogLevel(link: ServerLink, level: string, timeoutMs: number): Promise<unknown>;
  /** Requests notifications about changes to a resource. */
  subscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  unsubscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  /**
   * Starts or stops notifications about the progress of a task. Absent if servers send these notifications without a
   * request.
   */
  watchTask?(id: string, isWatched: boolean, timeoutMs: number): Promise<void>;
  /** Returns the line by which mcpmux cancels its request with this id. */
  cancellation(id: number, reason: string): OutgoingLine;
  /** The method of the notification by which a server cancels its own request, named in `params.requestId`. */
  readonly withdrawal: string;
  /** The requests of a server that mcpmux answers itself: the results as JSON text, by method. */
  readonly ownAnswers: ReadonlyMap<string, string>;
  /** True if servers of the era send requests. */
  readonly asks: boolean;
  /** Returns the params of a request of mcpmux itself, in the form of this dialect. */
  own(params: unknown): unknown;
  /** Handles a notification before all other receivers. Returns the line for the other receivers, or undefined. */
  notified?(line: OwnedLine, method: string): OwnedLine | undefined;
  /** Called with each page of a list. */
  listed?(method: string, page: OwnResult): void;
  /** True if a list may have changed without a notification from the server. */
  isStale?(method: string): boolean;
  /** Called for each listed tool. Returns the reason if clients must not see the tool. */
  toolListed?(name: string, definition: Buffer): string | undefined;
  /** Returns a tool in the form for clients of the other era, or undefined if the form is the same. */
  toolForOthers?(definition: Buffer): Buffer | undefined;
}
