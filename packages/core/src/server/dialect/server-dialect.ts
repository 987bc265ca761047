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

/** Sends mcpmux's own requests and notifications to one run of a server. */
export interface ServerLink {
  /** Rejects if the server answers with an error, the request times out, or the run ends. */
  request(method: string, params: unknown, timeoutMs: number): Promise<OwnResult>;
  notify(method: string, params?: unknown): void;
}

/** The outcome of a request that stays open, such as `subscriptions/listen`. */
export interface LongRequestOutcome {
  readonly isRunOver: boolean;
  /** The error code, if the server answered with an error. */
  readonly code?: number | undefined;
  /** True if the request was not delivered. The same request may succeed later. */
  readonly isLost?: boolean;
}

/** Called once, when a request that stays open has ended. */
export type LongRequestEndHandler = (end: LongRequestOutcome) => void;

/** The part of a run's connection that the run's dialect uses. */
export interface RunLink extends ServerLink {
  useDialect(dialect: ServerDialect): void;
  /** Sends a request that stays open. Returns its id. */
  openLongRequest(method: string, params: unknown, ended: LongRequestEndHandler): number;
  /** Cancels a request that stays open. */
  withdraw(id: number): void;
  /** Delivers a line to mcpmux as if the server had sent it. */
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
  /**
   * True if another run of the server uses the other era. The server must then prove that it supports `requiredEra`
   * too.
   */
  readonly isSecond?: boolean;
  /** The era that mcpmux tries first. */
  readonly firstEra: Era;
  readonly timeLeftMs: () => number;
  /** Called before each opening request. `isProbe` matters, because a probe makes some servers exit. */
  readonly onRequest: (request: string, isProbe: boolean) => void;
  /** Called when mcpmux has established that the server supports only this era. */
  readonly onVerdict: (era: Era) => void;
}

/** Opens a run in an era that its server supports. Rejects if the server refuses, times out, or answers incorrectly. */
export type OpenRun = (init: OpeningInit) => Promise<ServerIdentity>;

/** The methods of the messages that open a run, in the order sent. Empty in an era without a handshake. */
export interface Opening {
  readonly request: string;
  /** The notification that follows the response to `request`. */
  readonly notification: string;
}

/** How mcpmux communicates with servers of one era, where the eras differ. */
export interface ServerDialect {
  readonly era: Era;
  readonly opening: Opening;
  /** Sends a health check. Rejects if the server does not answer it. */
  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown>;
  /** Requests log messages at this level and above. */
  setLogLevel(link: ServerLink, level: string, timeoutMs: number): Promise<unknown>;
  /** Requests notifications about changes to a resource. */
  subscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  unsubscribe(link: ServerLink, uri: string, timeoutMs: number): Promise<unknown>;
  /** Starts or stops notifications about a task. Absent if servers of the era send these notifications unrequested. */
  watchTask?(id: string, isWatched: boolean, timeoutMs: number): Promise<void>;
  /** Returns the line that cancels mcpmux's request with this id. */
  cancellationLine(id: number, reason: string): OutgoingLine;
  /** The method of the notification with which a server cancels its own request (`params.requestId`). */
  readonly withdrawalMethod: string;
  /** The results with which mcpmux answers server requests itself, as JSON text, keyed by method. */
  readonly ownAnswers: ReadonlyMap<string, string>;
  /** True if servers of the era may send requests. */
  readonly sendsRequests: boolean;
  /** Returns the params of one of mcpmux's own requests in the form that this dialect requires. */
  ownParams(params: unknown): unknown;
  /** Inspects a notification before the inbox receives it. Returns the line to forward, or undefined to drop it. */
  onNotification?(line: OwnedLine, method: string): OwnedLine | undefined;
  /** Called with each page of a list that the server returns. */
  onListPage?(method: string, page: OwnResult): void;
  /** True if the list that `method` returns may have changed without a notification from the server. */
  isStale?(method: string): boolean;
  /**
   * Called for each tool that the server lists. Returns the reason to hide it from clients, or undefined to list it.
   */
  onToolListed?(name: string, definition: Buffer): string | undefined;
  /** Returns a tool's definition for clients of the other era, or undefined if it is the same. */
  toolForOtherEra?(definition: Buffer): Buffer | undefined;
}
