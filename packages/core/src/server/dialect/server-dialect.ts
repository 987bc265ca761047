import type { HttpRequests } from '@mcpmux/remote';
import type { OutgoingLine, Span, OwnedLine } from '@mcpmux/wire';
import type { ClientProfile } from './client-profile.js';
import type { Era } from './era.js';
import type { ServerIdentity } from './server-identity.js';

/** The timeout for a request to start or stop notifications about a task, in milliseconds. */
export const WATCH_TASK_TIMEOUT_MS = 10_000;

/** A successful response to one of mcpmux's own requests: the line, and the span of the result in it. */
export interface OwnResult {
  readonly line: OwnedLine;
  readonly result: Span;
}

/** Sends mcpmux's own messages to one run of a server. */
export interface ServerLink {
  /** Rejects if the server answers with an error or times out, or if its run ends. */
  request(method: string, params: unknown, timeoutMs: number): Promise<OwnResult>;
  notify(method: string, params?: unknown): void;
}

/** How a request that stays open ended. */
export interface LongRequestOutcome {
  readonly isRunOver: boolean;
  /** The code of the error, if the server answered with one. */
  readonly code?: number | undefined;
  /** True if the request was not delivered. The same request may succeed later. */
  readonly isLost?: boolean;
}

/** Called once, at the end of a request that stays open. */
export type LongRequestEndHandler = (end: LongRequestOutcome) => void;

/** The connection of one run, as the dialect of the run uses it. */
export interface RunLink extends ServerLink {
  /** Sets the dialect that the run uses. */
  useDialect(dialect: ServerDialect): void;
  /** Sends a request that stays open. Returns its id. */
  openLongRequest(method: string, params: unknown, ended: LongRequestEndHandler): number;
  /** Ends a request that stays open. */
  withdraw(id: number): void;
  /** Handles a line as if the server had sent it. */
  deliver(line: Buffer): void;
}

/** The parameters of {@link OpenRun}. */
export interface OpeningInit {
  readonly link: RunLink;
  /** The run's HTTP requests; undefined for a run over a pipe. */
  readonly http?: HttpRequests | undefined;
  /** The client whose capabilities mcpmux sends to the server. */
  readonly profile: ClientProfile;
  /** The only era that mcpmux tries. If undefined, mcpmux detects the era. */
  readonly requiredEra: Era | undefined;
  /** True if another run of the server uses the other era. The server must then prove that it supports this era too. */
  readonly isSecond?: boolean;
  /** The era that mcpmux tries first. */
  readonly firstEra: Era;
  readonly timeLeftMs: () => number;
  /** Called when mcpmux sends a request. Some servers exit when they are probed, but work otherwise. */
  readonly onRequest: (request: string, isProbe: boolean) => void;
  /** Called when the server has proved that it supports only this era. */
  readonly onVerdict: (era: Era) => void;
}

/** Opens a run in an era that its server supports. Rejects if the server refuses, times out, or answers incorrectly. */
export type OpenRun = (init: OpeningInit) => Promise<ServerIdentity>;

/** The messages that open a run, in this order. They precede all other messages. */
export interface Opening {
  readonly request: string;
  /** The notification that follows the response to `request`. */
  readonly notification: string;
}

/** How mcpmux exchanges lifecycle messages with servers of one era. */
export interface ServerDialect {
  readonly era: Era;
  readonly opening: Opening;
  /** Checks that a server still answers. */
  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown>;
  /** Requests log messages at this level and above. */
  setLogLevel(link: ServerLink, level: string, timeoutMs: number): Promise<unknown>;
  /** Requests notifications about changes to a resource. */
  subscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  unsubscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  /** Starts or stops notifications about a task. Absent if servers send these notifications without a request. */
  watchTask?(id: string, isWatched: boolean, timeoutMs: number): Promise<void>;
  /** Returns the line that cancels mcpmux's request with this id. */
  cancellationLine(id: number, reason: string): OutgoingLine;
  /** The method of the notification that cancels a server's own request (`params.requestId`). */
  readonly withdrawalMethod: string;
  /** The results for server requests that mcpmux answers itself, as JSON text by method. */
  readonly ownAnswers: ReadonlyMap<string, string>;
  /** True if servers of the era send requests. */
  readonly sendsRequests: boolean;
  /** Returns the params of one of mcpmux's own requests in the form that this dialect requires. */
  ownParams(params: unknown): unknown;
  /** Handles a notification before the inbox receives it. Returns the line to pass on, or undefined to drop it. */
  onNotification?(line: OwnedLine, method: string): OwnedLine | undefined;
  /** Called with each page of a list. */
  onListPage?(method: string, page: OwnResult): void;
  /** True if a list may have changed without a notification from the server. */
  isStale?(method: string): boolean;
  /** Called for each listed tool. If clients must not see the tool, returns the reason. */
  onToolListed?(name: string, definition: Buffer): string | undefined;
  /** Returns a tool's definition for clients of the other era, or undefined if it is the same. */
  toolForOtherEra?(definition: Buffer): Buffer | undefined;
}
