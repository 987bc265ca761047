import type { AllLimits } from '@mcpmux/kit';
import type { OwnToolHandler } from '../caller/own-tool-handler.js';
import type { Exchange } from '../request/exchange.js';
import type { ForwardParts } from '../request/forward.js';
import type { Listeners } from './listeners.js';
import type { Subscriptions } from './subscriptions.js';

/** The dependencies of handlers. Shared by all sessions of a mux. */
export interface MethodParts extends ForwardParts {
  readonly ownTools: OwnToolHandler;
  readonly subscriptions: Subscriptions;
  readonly listeners: Listeners;
  readonly limits: AllLimits;
  /** Reads the HTML of the MCP App for `list_servers`. Absent if the host does not provide one. */
  readonly overviewApp?: (() => Promise<string>) | undefined;
}

/** Answers a request, immediately or later. If the handler rejects, the client gets an internal error. */
export type Handler = (exchange: Exchange, parts: MethodParts) => void | Promise<void>;
