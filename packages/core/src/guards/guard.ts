import type { GuardedParams } from '../server/dialect/guarded-params.js';
import type { GuardedTool } from '../catalog/own-tool.js';
import type { Era } from '../server/dialect/era.js';
import type { ToolIdentity } from '../server/lists/tool-pins.js';
import type { Principal } from './principal.js';

export type { GuardedParams };

/** A method whose params have a known type. */
export type GuardedMethod = keyof GuardedParams;

/** The type of a method's params: a record of unknown values unless the method is a {@link GuardedMethod}. */
export type ParamsOf<Method extends string> = Method extends GuardedMethod
  ? GuardedParams[Method]
  : Readonly<Record<string, unknown>>;

/** A request, as passed to a guard. */
export interface GuardContext<Method extends string = string> {
  readonly method: Method;
  /** The number of the client's session, unique within the mux. The first client has number 1. */
  readonly session: number;
  readonly principal: Principal;
  /** The client's self-declared name. Undefined until the client has sent it. */
  readonly client?: string | undefined;
  /**
   * The target server, or `mcpmux` for its own tools. Undefined if the request has no server or its server is unknown.
   */
  readonly server: string | undefined;
  /** Distinguishes servers of the same name that different clients see. Empty for a server that all clients see. */
  readonly serverScope: string;
  /**
   * The local name of the tool or prompt, as renamed by the server's tool settings. For `call_tool`, the name of the
   * called tool.
   */
  readonly tool: string | undefined;
  /** The size of the request, in bytes. */
  readonly bytes: number;
  /** A value that changes whenever the server restarts or its lists change. */
  readonly serverVersion: string;
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** The params, parsed on first access. */
  readonly params: ParamsOf<Method>;
  /** The server's definition of the tool or prompt, parsed on first access. */
  readonly definition: Readonly<Record<string, unknown>> | undefined;
  /** Returns the JSON text of a member of the params, byte for byte as sent by the client or an outer guard. */
  readonly readRaw: (member: string) => Buffer | undefined;
  /**
   * Returns the JSON text of the arguments that the server receives: `args`, with the fixed and default arguments from
   * the tool's settings added and its hidden arguments removed. Undefined if the server receives no arguments.
   */
  readonly sentArguments: (args: Buffer | undefined) => Buffer | undefined;
  /** False if the server exists only for other principals, so this principal cannot use the target. */
  readonly isVisible: boolean;
  /** True for a call that a guard makes within another request. That guard receives the result. */
  readonly isNested: boolean;
  readonly nested: NestedCalls;
  /** The era of the protocol revision that the request uses. */
  readonly era: Era;
  /** False for a request without a session. A guard must not remember anything about its client after the response. */
  readonly hasSession: boolean;
  /**
   * True if another cluster node has forwarded the request. In that case, the session is the link between the nodes.
   */
  readonly isFromNode: boolean;
  /** True if an agent added the server, in this or an earlier mcpmux process. */
  readonly isServerOfAgent: boolean;
  /** True if another node has forwarded the request and reports that a person has approved this tool definition. */
  readonly isApprovedByNode: boolean;
  /** Identifies the tool and its current definition. Undefined if the server does not currently list the tool. */
  readonly toolIdentity: ToolIdentity | undefined;
  readonly user: ClientUser;
}

/** A client's user, to whom a guard can put a question. */
export interface ClientUser {
  /** True if the client has declared that it can display forms. */
  readonly takesForms: boolean;
  /** True if the client has declared that it can open URLs. */
  readonly takesUrls: boolean;
  /**
   * Sends the client an elicitation with these params. Resolves with the client's result, or with the problem that
   * prevented it. Cancels the elicitation when `signal` is aborted.
   */
  elicit(
    form: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly result: Readonly<Record<string, unknown>> } | { readonly problem: string }>;
  /**
   * Notifies the client that its user has completed a URL elicitation, if the client's era has a notification for this.
   */
  urlVisited(elicitationId: string): void;
}

/** A server's tool that a request's client can call. */
export interface CallableTool {
  /** The qualified name, `{server}__{tool}`. */
  readonly name: string;
  /** The server's definition of the tool, parsed on each access. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Options for {@link NestedCalls.call}. */
export interface NestedCallOptions {
  /** Cancels the call when aborted. The call is also cancelled when the request ends. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string | undefined) => void;
}

/** Lets a guard call tools within a request, on behalf of the request's client. */
export interface NestedCalls {
  /** Lists the servers' tools that the client can call. */
  listTools(): Iterable<CallableTool>;
  findTool(name: string): CallableTool | undefined;
  /**
   * Calls a server's tool. The call passes through all guards, and servers can ask the client's user. Rejects if the
   * request ends, or `signal` is aborted, before the call has been answered.
   */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: NestedCallOptions,
  ): Promise<GuardAnswer>;
  /** Sends a progress message to the client, if the client has requested progress notifications. */
  sendProgress(message: string): void;
}

/** The response to a request. Its fields are evaluated lazily. */
export interface GuardAnswer {
  /** `error` for a JSON-RPC error. A tool error is a `result`. */
  readonly kind: 'result' | 'error';
  /** True if the tool has reported its failure with `isError` in the result. */
  readonly isToolError: boolean;
  /** The size of the response, in bytes. */
  readonly bytes: number;
  /** The result or the error object, as JSON text. */
  readonly json: Buffer;
}

/** A change that a guard makes to a request before the server receives it. */
export interface GuardChange {
  /**
   * Members of the params to add or replace. A value can be a JSON value or a `Uint8Array` with JSON text. All other
   * bytes of the request stay unchanged. Members that mcpmux itself reads, such as `name`, `uri` and `_meta`, cannot be
   * replaced.
   */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /**
   * True if a person has approved the tool call exactly as it is. Inner guards cannot change its params, and mcpmux
   * refuses to send the call if the tool no longer matches the context's `toolIdentity`. A call that is forwarded to
   * another cluster node keeps its approval.
   */
  readonly isApproved?: boolean;
}

/** Passes a request to the inner guards and then to the server. */
export type GuardNext = (change?: GuardChange) => Promise<GuardAnswer>;

/**
 * Intercepts a request before it reaches its server. A guard can wait, refuse (throw a `GuardRefusal`), answer itself
 * (return without calling `next`), change params (`next({ params })`), or inspect the answer that `next` resolves to.
 *
 * `next` rejects if the request ends before it is answered. If a guard answers or refuses while `next` is still
 * pending, mcpmux cancels the request on the server. Further calls to `next` return the first call's promise.
 */
export type GuardHandler<Method extends string = string> = (
  context: GuardContext<Method>,
  next: GuardNext,
) => GuardAnswer | Promise<GuardAnswer>;

/** Middleware that handles requests, restricts visibility, or does both. */
export interface Guard {
  /** The methods that the guard handles. Defaults to all except `initialize` and `ping`. */
  readonly methods?: readonly string[];
  readonly handle?: GuardHandler;
  /**
   * Returns true if the guard handles requests, and offers its own tool, for the client with this name. Defaults to all
   * clients. Does not affect `shows`.
   */
  readonly clients?: (name: string | undefined) => boolean;
  /**
   * mcpmux's own tool whose calls the guard answers. Clients' lists include the tool as long as the guard is in use.
   */
  readonly answers?: GuardedTool;
  /** True if the guard must stay inside all guards without this flag, including guards that are added later. */
  readonly isInnermost?: boolean;
  /**
   * True if the principal may see the tool or, if `tool` is absent, the server's prompts and resources. Invisible
   * entries are not listed and cannot be used. Must be fast and return the same result for the same arguments.
   */
  readonly shows?: (principal: Principal, server: string, tool?: string) => boolean;
}
