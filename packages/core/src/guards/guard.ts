import type { GuardedParams } from '../dialect/guarded-params.js';
import type { Principal } from './principal.js';

export type { GuardedParams };

/** A method whose params are known. */
export type GuardedMethod = keyof GuardedParams;

/** The params of a method. */
export type ParamsOf<Method extends string> = Method extends GuardedMethod
  ? GuardedParams[Method]
  : Readonly<Record<string, unknown>>;

/** A request, as a guard sees it. */
export interface GuardContext<Method extends string = string> {
  readonly method: Method;
  /** Tells the clients of one mux apart: 1 for the first that came. */
  readonly session: number;
  readonly principal: Principal;
  /** The server that the request is for: `mcpmux` for its own tools; undefined when it is for none, or nobody knows. */
  readonly server: string | undefined;
  /** Tells servers of one name apart, which different clients see: empty for one that all see. */
  readonly serverScope: string;
  /** The tool or prompt, as its server or its view calls it; that which `call_tool` is to call, for a call of that. */
  readonly tool: string | undefined;
  /** Size of the request, in bytes. */
  readonly bytes: number;
  /** Changes when the server starts anew, and when what it lists has changed. */
  readonly serverVersion: string;
  /** Aborted when nobody wants the answer any more: the client has cancelled the request, or has gone. */
  readonly signal: AbortSignal;
  /** The params, parsed when they are first asked for. */
  readonly params: () => ParamsOf<Method>;
  /** The JSON text of one member of the params, byte for byte as the client sent it. */
  readonly raw: (member: string) => Buffer | undefined;
  /** What the server says of its tool or prompt, parsed when it is first asked for. */
  readonly definition: () => Readonly<Record<string, unknown>> | undefined;
}

/** The answer to a request. Nothing of it is read before it is asked for. */
export interface GuardAnswer {
  /** `error` for an error of JSON-RPC, which has no result. */
  readonly kind: 'result' | 'error';
  /** A tool's result that says it has failed (`isError`). */
  readonly isToolError: boolean;
  /** Size of the answer, in bytes. */
  readonly bytes: number;
  /** The result, or the error, as JSON text. */
  json(): Buffer;
}

/**
 * Stands between a client's request and its server. It can wait, refuse (throw a `GuardRefusal`), answer itself (return
 * without calling `next`), or look at the answer that `next` resolves to; it cannot change a message on its way.
 *
 * `next` rejects when the request is over before it was answered. A guard that answers or refuses while `next` is still
 * pending ends the request: the server is told that nobody waits any more. A second call of `next` is the first.
 */
export type GuardHandler<Method extends string = string> = (
  context: GuardContext<Method>,
  next: () => Promise<GuardAnswer>,
) => GuardAnswer | Promise<GuardAnswer>;

/** A guard. */
export interface Guard {
  /** The methods that it looks at; all but `initialize` and `ping` when absent. */
  readonly methods?: readonly string[];
  readonly handle?: GuardHandler;
  /**
   * Whether a principal sees a tool, or, without one, what else a server has. What it does not see is in no list and
   * cannot be used. Must be quick, and say the same each time.
   */
  readonly shows?: (principal: Principal, server: string, tool?: string) => boolean;
}
