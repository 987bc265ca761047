import type { GuardedParams } from '../server/dialect/guarded-params.js';
import type { GuardedTool } from '../catalog/own-tool.js';
import type { Era } from '../server/dialect/era.js';
import type { ToolIdentity } from '../server/lists/tool-pins.js';
import type { Principal } from './principal.js';

export type { GuardedParams };

/** A method with params of a known type. */
export type GuardedMethod = keyof GuardedParams;

/** The params of a method; a record of unknown values for a method that is not a {@link GuardedMethod}. */
export type ParamsOf<Method extends string> = Method extends GuardedMethod
  ? GuardedParams[Method]
  : Readonly<Record<string, unknown>>;

/** A request, as passed to a guard. */
export interface GuardContext<Method extends string = string> {
  readonly method: Method;
  /** Number of the client's session, unique within the mux. The first client has number 1. */
  readonly session: number;
  readonly principal: Principal;
  /** The client's own name; undefined until the client has sent it. */
  readonly client?: string | undefined;
  /** The target server; `mcpmux` for its own tools. Undefined if the request has no server or its server is unknown. */
  readonly server: string | undefined;
  /** Distinguishes servers of the same name that different clients see. Empty for a server that all clients see. */
  readonly serverScope: string;
  /**
   * Local name of the tool or prompt, after renaming by the server's tool settings. For `call_tool`, the called tool.
   */
  readonly tool: string | undefined;
  /** Size of the request, in bytes. */
  readonly bytes: number;
  /** A value that changes whenever the server restarts or its lists change. */
  readonly serverVersion: string;
  /** Aborted when the client has cancelled the request or has disconnected. */
  readonly signal: AbortSignal;
  /** The params, parsed on first access. */
  readonly params: ParamsOf<Method>;
  /** The server's definition of the tool or prompt, parsed on first access. */
  readonly definition: Readonly<Record<string, unknown>> | undefined;
  /** Returns the JSON text of one member of the params, byte for byte as sent by the client or an outer guard. */
  readonly readRaw: (member: string) => Buffer | undefined;
  /**
   * Returns the JSON text of the arguments that the server gets: `args` with the fixed and default arguments of the
   * tool's settings, and without its hidden arguments. Undefined if the server gets no arguments.
   */
  readonly sentArguments: (args: Buffer | undefined) => Buffer | undefined;
  /** False if the server exists only for other principals, so this principal cannot use the target. */
  readonly isVisible: boolean;
  /** True for a call that a guard makes within another request. The result goes to that guard. */
  readonly isNested: boolean;
  /** Calls tools within the request. */
  readonly nested: NestedCalls;
  /** The era of the protocol revision that the request uses. */
  readonly era: Era;
  /** False for a request without a session. Nothing about its client may be remembered after the answer. */
  readonly hasSession: boolean;
  /** True if another node of the cluster has forwarded the request. The session is then the link between the nodes. */
  readonly isFromNode: boolean;
  /** True if an agent has added the server, in this or an earlier run of mcpmux. */
  readonly isServerOfAgent: boolean;
  /** True if another node has forwarded the request and reports a person's approval for this tool definition. */
  readonly isApprovedByNode: boolean;
  /** Identifies the tool and its current definition. Undefined if the server does not currently list the tool. */
  readonly toolIdentity: ToolIdentity | undefined;
  /** The client's user, whom the guard can ask. */
  readonly user: ClientUser;
}

/** A client's user, whom a guard can ask. */
export interface ClientUser {
  /** True if the client has declared that it can show forms to its user. */
  readonly takesForms: boolean;
  /** True if the client has declared that it can open URLs for its user. */
  readonly takesUrls: boolean;
  /**
   * Shows a form or a URL, given as the params of an elicitation. Resolves with the client's result or with the problem
   * that prevented it. Withdraws the form when `signal` is aborted.
   */
  elicit(
    form: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly result: Readonly<Record<string, unknown>> } | { readonly problem: string }>;
  /** Notifies the client that its user has completed a URL elicitation, if the client's era has this notification. */
  urlVisited(elicitationId: string): void;
}

/** A server's tool that the client of a request can call. */
export interface CallableTool {
  /** `{server}__{tool}`. */
  readonly name: string;
  /** The server's definition of the tool, parsed on each access. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** Options of {@link NestedCalls.call}. */
export interface NestedCallOptions {
  /** Cancels the call when aborted. The end of the request cancels the call too. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string | undefined) => void;
}

/** Calls that a guard makes within a request, as the client of that request. */
export interface NestedCalls {
  /** Lists the servers' tools that the client can call. */
  listTools(): Iterable<CallableTool>;
  findTool(name: string): CallableTool | undefined;
  /**
   * Calls a tool of a server. The call passes through all guards, and servers can ask the client's user. Rejects if the
   * request ends, or `signal` is aborted, before the call is answered.
   */
  call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: NestedCallOptions,
  ): Promise<GuardAnswer>;
  /** Sends a progress message to the client, if the client has requested progress. */
  sendProgress(message: string): void;
}

/** The answer to a request. Its fields are read lazily. */
export interface GuardAnswer {
  /** `error` for a JSON-RPC error, which has no result. */
  readonly kind: 'result' | 'error';
  /** True for a tool's result with `isError`, which means that the tool has failed. */
  readonly isToolError: boolean;
  /** Size of the answer, in bytes. */
  readonly bytes: number;
  /** The result, or the error, as JSON text. */
  readonly json: Buffer;
}

/** A change that a guard makes to a request before the request reaches the server. */
export interface GuardChange {
  /**
   * Members of the params to add or replace. A value is JSON, or JSON text as bytes. All other bytes of the request
   * stay unchanged. Members that mcpmux itself reads (`name`, `uri`, `_meta` and others) cannot be replaced.
   */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /**
   * True if a person has approved the tool call exactly as it is. Inner guards cannot change its params, and mcpmux
   * refuses the call if its tool no longer has the `toolIdentity` of the context when the call is sent. If the call is
   * forwarded to another node of the cluster, so is the approval.
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
 * pending, the request is cancelled at the server. Further calls to `next` return the result of the first.
 */
export type GuardHandler<Method extends string = string> = (
  context: GuardContext<Method>,
  next: GuardNext,
) => GuardAnswer | Promise<GuardAnswer>;

/** Handles requests, restricts visibility, or both. */
export interface Guard {
  /** The methods that the guard handles; all except `initialize` and `ping` when absent. */
  readonly methods?: readonly string[];
  readonly handle?: GuardHandler;
  /**
   * Returns true if the guard applies to the client with this name. The guard does not affect the requests or lists of
   * other clients. When absent, the guard applies to all clients.
   */
  readonly clients?: (name: string | undefined) => boolean;
  /** mcpmux's own tool whose calls the guard answers. Clients' lists include the tool while the guard is in use. */
  readonly answers?: GuardedTool;
  /** True if the guard must stay inside all guards without this flag, including guards that are added later. */
  readonly isInnermost?: boolean;
  /**
   * True if the principal may see the tool or, if `tool` is absent, the server's prompts and resources. Invisible
   * entries are not listed and cannot be used. Must be fast and return the same result for the same arguments.
   */
  readonly shows?: (principal: Principal, server: string, tool?: string) => boolean;
}
