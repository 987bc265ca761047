import type { Era } from '../../server/dialect/era.js';
import type { Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { ElicitAnswer } from '../asks/server-requests.js';
import type { CallerView } from './caller-view.js';

/** The client that calls one of mcpmux's own tools. */
export interface CallingClient {
  /** The client's sequence number within its mux, starting at 1. */
  readonly session: number;
  /** False for a client that exists only for a single message, because it has no lasting connection. */
  readonly isPersistent: boolean;
  /** The registries that are visible to the client, and the registry to which it adds servers. */
  readonly layers: Pick<SessionLayers, 'own' | 'addRegistry' | 'folder' | 'isolated'>;
  readonly principal: Principal;
  /** The era and revision of the request. The revision is undefined until the client has sent it. */
  readonly protocol: {
    readonly era: Era;
    readonly revision?: string | undefined;
    /** The client's name, if a modern request states it. */
    readonly name?: string | undefined;
  };
  /** True if the client is the program that started this mux, and could therefore run programs itself. */
  readonly isStdio: boolean;
  readonly view: CallerView;
  /**
   * Adds tools that the client has found by a search to its tool list, by exposed name. Resolves once the client has
   * requested the changed list, or immediately if it is not expected to. Absent if the client has no tool list of its
   * own.
   */
  readonly revealTools?: ((names: readonly string[]) => Promise<void>) | undefined;
  /** True if the client has declared that it can show forms to its user. */
  readonly takesForms: boolean;
  /** True if the client has declared that it can open URLs for its user. */
  readonly takesUrls: boolean;
  /** Shows a form or a URL to the user. Resolves with a problem if there is no answer or `signal` is aborted. */
  elicit(form: unknown, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Notifies the client that its user has completed the URL elicitation. */
  urlVisited(elicitationId: string): void;
}

/** The parts of a session that a call to one of mcpmux's own tools may use. */
export interface OwnToolContext {
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Reports progress to the caller, if the caller has requested progress. */
  readonly reportProgress: (message: string) => void;
  readonly client: CallingClient;
}

/** Executes mcpmux's own tools. Sessions use them only through this interface. */
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
