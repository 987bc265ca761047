import type { Era } from '../../server/dialect/era.js';
import type { Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { OwnAnswer } from '../asks/server-requests.js';
import type { CallerView } from './caller-view.js';

/** The client that calls one of mcpmux's own tools. */
export interface CallingClient {
  /** The number of the client within one mux, starting at 1. */
  readonly session: number;
  /** False for one message without a connection, which ends with its answer. */
  readonly isStanding: boolean;
  /** The registries that are visible to the client, and the registry of the servers that it adds. */
  readonly layers: Pick<SessionLayers, 'own' | 'adds' | 'folder' | 'isolated'>;
  readonly principal: Principal;
  /** The protocol of the request. It has no revision before the client has named one. */
  readonly speaks: {
    readonly era: Era;
    readonly revision?: string | undefined;
    /** The name in a modern request. */
    readonly name?: string | undefined;
  };
  /** True if the client is the program that started this mux, and so could run programs itself. */
  readonly isStdio: boolean;
  readonly view: CallerView;
  /**
   * The client has found tools, by their exposed names. Resolves when the client's list contains them, if the list can
   * change; absent if lists are the same for all clients.
   */
  readonly found?: ((names: readonly string[]) => Promise<void>) | undefined;
  /** True if the client has declared that it shows forms to its user. */
  readonly takesForms: boolean;
  /** True if the client has declared that it opens URLs for its user. */
  readonly takesUrls: boolean;
  /** Shows a form or a URL to the client's user. Resolves with a problem if there is no answer, or if `signal` is aborted. */
  elicit(form: unknown, signal: AbortSignal): Promise<OwnAnswer>;
  /** Notifies the client that its user has finished at the URL of an elicitation. */
  urlVisited(elicitationId: string): void;
}

/** The parts of a session that a call to one of mcpmux's own tools may use. */
export interface OwnToolContext {
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller, if it asked for progress. */
  readonly progress: (message: string) => void;
  readonly client: CallingClient;
}

/** Executes mcpmux's own tools. Sessions know nothing else about them. */
export interface OwnToolHandler {
  has(name: string): boolean;
  /** True if a call to this tool can change the caller's lists. */
  changesLists(name: string): boolean;
  /**
   * Calls a tool. Resolves with the `result` of `tools/call` as JSON text.
   *
   * @param args the `arguments` of the call, as sent
   */
  call(name: string, args: unknown, context: OwnToolContext): Promise<string>;
}
