import type { HttpRequests } from '@mcpmux/remote';
import type { OutgoingLine, Span, OwnedLine } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';
import type { Era } from './era.js';
import type { ServerIdentity } from './server-identity.js';

/** The time in which a server must accept that it reports a task or stops to, in milliseconds. */
export const WATCH_TASK_MS = 10_000;

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

/** How a request ended that stays open. */
export interface LongRequestEndInit {
  readonly isRunOver: boolean;
  /** The code of the error, if the server answered with one. */
  readonly code?: number | undefined;
  /** The request has met an obstacle on its way, and another one may be answered. */
  readonly isLost?: boolean;
}

/** Is told once how a request ended that stays open. */
export type LongRequestEnd = (end: LongRequestEndInit) => void;

/** The connection of one run, as the dialect of the run uses it. */
export interface RunLink extends ServerLink {
  /** From now on the run speaks this dialect. */
  speak(dialect: ServerDialect): void;
  /** Sends a request that stays open. Returns its id. */
  stand(method: string, params: unknown, ended: LongRequestEnd): number;
  /** Ends a request that stays open. */
  withdraw(id: number): void;
  /** Treats a line as if the server had sent it now. */
  deliver(line: Buffer): void;
}

/** How a run is to be opened. */
export interface OpeningInit {
  readonly link: RunLink;
  /** Where the messages of the run are requests of HTTP; undefined on a pipe. */
  readonly http?: HttpRequests | undefined;
  /** The client whose capabilities the server is told. */
  readonly as: ClientProfile;
  /** The only era that is tried; undefined to find out. */
  readonly only: Era | undefined;
  /** Another run of the server speaks the other era: that it speaks this one, too, must be shown. */
  readonly isSecond?: boolean;
  /** The era that is tried first. */
  readonly first: Era;
  readonly timeLeft: () => number;
  /** A request is on its way. A server may exit on a probe and be sound all the same. */
  readonly asking: (request: string, isProbe: boolean) => void;
  /** The server speaks this era alone, as far as it has shown. */
  readonly learned: (era: Era) => void;
}

/** Opens a run in an era that its server speaks. Rejects when the server refuses, is late, or answers something else. */
export type OpenRun = (init: OpeningInit) => Promise<ServerIdentity>;

/** The messages that open a run: they leave one by one, before all others. */
export interface Opening {
  readonly request: string;
  /** The notification that follows the answer. */
  readonly notification: string;
}

/** The messages of the lifecycle that servers of one era of the protocol speak. */
export interface ServerDialect {
  readonly era: Era;
  readonly opening: Opening;
  /** Asks whether a server still answers. */
  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown>;
  /** Asks for the log messages of this level and above. */
  setLogLevel(link: ServerLink, level: string, timeoutMs: number): Promise<unknown>;
  /** Asks to be told when a resource changes. */
  subscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  unsubscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  /** Asks to be told how a task goes on, or not any more. Absent where servers tell of their own accord. */
  watchTask?(id: string, isWatched: boolean, timeoutMs: number): Promise<void>;
  /** The line by which mcpmux withdraws a request with this id. */
  cancellation(id: number, reason: string): OutgoingLine;
  /** The notification by which a server withdraws a request of its own, named in `params.requestId`. */
  readonly withdrawal: string;
  /** Requests of a server that mcpmux answers itself: the results as JSON text, by method. */
  readonly ownAnswers: ReadonlyMap<string, string>;
  /** True if servers of the era send requests. */
  readonly asks: boolean;
  /** The params of a request of mcpmux itself. */
  own(params: unknown): unknown;
  /** Takes a notification first. Returns the line that is for others; undefined when there is none. */
  notified?(line: OwnedLine, method: string): OwnedLine | undefined;
  /** A page of a list has come. */
  listed?(method: string, page: OwnResult): void;
  /** True if a list may have changed without a notification of the server. */
  isStale?(method: string): boolean;
  /** A tool was listed. Returns why clients must not see it, if so. */
  toolListed?(name: string, definition: Buffer): string | undefined;
  /** A tool as clients of the other era must see it, where that differs. */
  toolForOthers?(definition: Buffer): Buffer | undefined;
}
