import type { GuardedParams } from '../dialect/guarded-params.js';
import type { Principal } from './principal.js';

export type { GuardedParams };

/** A method whose params have a known type. */
export type GuardedMethod = keyof GuardedParams;

/** The params of a method. */
export type ParamsOf<Method extends string> = Method extends GuardedMethod
  ? GuardedParams[Method]
  : Readonly<Record<string, unknown>>;

/** A request, as passed to a guard. */
export interface GuardContext<Method extends string = string> {
  readonly method: Method;
  /** Number of the client's session, unique within the mux: 1 for the first client. */
  readonly session: number;
  readonly principal: Principal;
  /** Name that the client gives itself; undefined until it has given one. */
  readonly client?: string | undefined;
  /** The target server: `mcpmux` for mcpmux's own tools; undefined if the request has no server or it is unknown. */
  readonly server: string | undefined;
  /** Distinguishes servers of the same name that different clients see; empty for a server that all clients see. */
  readonly serverScope: string;
  /** Name of the tool or prompt at its server or in its view. For `call_tool`, the name of the tool to be called. */
  readonly tool: string | undefined;
  /** Size of the request, in bytes. */
  readonly bytes: number;
  /** Changes when the server is restarted and when its lists change. */
  readonly serverVersion: string;
  /** Aborted when the client has cancelled the request or has disconnected. */
  readonly signal: AbortSignal;
  /** Returns the params, which are parsed on the first call. */
  readonly params: () => ParamsOf<Method>;
  /** Returns the JSON text of one member of the params, byte for byte as the client, or a guard outside, sent it. */
  readonly raw: (member: string) => Buffer | undefined;
  /** Returns the server's definition of the tool or prompt, which is parsed on the first call. */
  readonly definition: () => Readonly<Record<string, unknown>> | undefined;
}

/** The answer to a request. Its parts are read only on access. */
export interface GuardAnswer {
  /** `error` for a JSON-RPC error, which has no result. */
  readonly kind: 'result' | 'error';
  /** True for a tool's result with `isError`, that is, the tool has failed. */
  readonly isToolError: boolean;
  /** Size of the answer, in bytes. */
  readonly bytes: number;
  /** Returns the result, or the error, as JSON text. */
  json(): Buffer;
}

/** A change that a guard makes to a request on its way to the server. */
export interface GuardChange {
  /**
   * Members of the params that replace those of the client, or are added: a value that is JSON, or its JSON text as bytes.
   * All other bytes of the request stay as they are. Members that mcpmux itself reads (`name`, `uri`, `_meta` and others)
   * cannot be replaced.
   */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Passes a request on: to the guards inside, then to the server. */
export type GuardNext = (change?: GuardChange) => Promise<GuardAnswer>;

/**
 * Intercepts a request before its server. A guard can wait, refuse (throw a `GuardRefusal`), answer itself (return
 * without calling `next`), change params (`next({ params })`), or inspect the answer that `next` resolves to.
 *
 * `next` rejects if the request ends before it is answered. If a guard answers or refuses while `next` is still
 * pending, the request is cancelled at the server. Further calls of `next` return the result of the first.
 */
export type GuardHandler<Method extends string = string> = (
  context: GuardContext<Method>,
  next: GuardNext,
) => GuardAnswer | Promise<GuardAnswer>;

/** A guard: handles requests, restricts visibility, or both. */
export interface Guard {
  /** The methods that the guard handles; all except `initialize` and `ping` when absent. */
  readonly methods?: readonly string[];
  readonly handle?: GuardHandler;
  /** True for a guard that answers `read_result`: the tool is in the list of clients. */
  readonly storesResults?: boolean;
  /**
   * True if the principal sees the tool or, without `tool`, the other entries of the server. Invisible entries are not
   * listed and cannot be used. Must be fast and return the same result for the same arguments.
   */
  readonly shows?: (principal: Principal, server: string, tool?: string) => boolean;
}
