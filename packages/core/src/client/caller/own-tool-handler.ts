import type { Era } from '../../server/dialect/era.js';
import type { Principal } from '../../guards/principal.js';
import type { SessionLayers } from '../../server/registry/layers.js';
import type { OwnAnswer } from './mux-request.js';
import type { CallerView } from './caller-view.js';

/** The client that calls one of mcpmux's own tools. */
export interface CallingClient {
  /** Tells the clients of one mux apart: 1 for the first that came. */
  readonly session: number;
  /** False for one message without a connection, which ends with its answer. */
  readonly isStanding: boolean;
  /** The registries that are visible to the client, and the registry of the servers that it adds. */
  readonly layers: Pick<SessionLayers, 'own' | 'adds' | 'folder' | 'isolated'>;
  readonly principal: Principal;
  /** The protocol of the request; no revision before the client has named one. */
  readonly speaks: {
    readonly era: Era;
    readonly revision?: string | undefined;
    /** The name in a modern request. */
    readonly name?: string | undefined;
  };
  /** The client is the program that started this mux, and could run programs itself. */
  readonly isStdio: boolean;
  readonly view: CallerView;
  /**
   * The client has found tools, by their exposed names. Resolves when its list has them, as far as its list can change;
   * absent where lists are the same for all clients.
   */
  readonly found?: ((names: readonly string[]) => Promise<void>) | undefined;
  /** True if the client has declared that it shows forms to its user. */
  readonly takesForms: boolean;
  /** Puts a form to its user. Resolves with a problem when there is no answer, or `signal` is aborted. */
  elicit(form: unknown, signal: AbortSignal): Promise<OwnAnswer>;
}

/** The parts of a session that a call of an own tool may use. */
export interface OwnToolContext {
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Tells the caller what is going on, if it asked for progress. */
  readonly progress: (message: string) => void;
  readonly client: CallingClient;
}

/** Executes mcpmux's own tools. Sessions know no more of them than this. */
export interface OwnToolHandler {
  has(name: string): boolean;
  /** True if a call of this tool can change the lists of its caller. */
  changesLists(name: string): boolean;
  /**
   * Calls a tool. Resolves with the `result` of `tools/call` as JSON text.
   *
   * @param args the `arguments` of the call, as sent
   */
  call(name: string, args: unknown, context: OwnToolContext): Promise<string>;
}
