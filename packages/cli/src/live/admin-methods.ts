import type { ConfigChange } from '@mcpmux/config/follow';
import type { ClientStatus } from '@mcpmux/core';
import type { OpenApproval } from '@mcpmux/core/guards';
import type { CallSummary } from '@mcpmux/dashboard';

import { z, type Checked } from '../base/zod.js';
import { ADMIN_PREFIX } from './opening.js';

/**
 * The methods of a shared process. `windows` lists its windows. `stop` and `restartShared` end the process. Its windows
 * then start another process: after `stop` only when their clients send a message, after `restartShared` immediately.
 * `handOver` releases the socket for a process of another version, to which each window moves once it has received its
 * pending responses.
 */
export type SharedMethod = 'windows' | 'stop' | 'restartShared' | 'handOver';

/** A connected window, as commands display it. */
export interface ConnectedWindow {
  /** The window's number in its process. */
  readonly id: number;
  /** The process id of the window's relay. */
  readonly pid: number;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Digests of settings that a shared process and its windows have in common. Comparing them exposes no values. */
export interface SharingDigest {
  /** The digest of each variable, by variable name. */
  readonly environment: Readonly<Record<string, string>>;
  /** The digest of Node.js, its options, and the command-line options of mcpmux. */
  readonly options: string;
}

/** The windows of a shared process. `sharing` is absent while the process is ending. */
export interface InstanceWindows {
  readonly windows: readonly ConnectedWindow[];
  readonly sharing?: SharingDigest;
}

/** A link to an instance's page. */
export interface PageLink {
  /** A URL that opens the page once. */
  readonly url: string;
  /** A file that redirects a browser to the URL. Present if the command requested it. */
  readonly file?: string;
}

const noParamsSchema = z.object({});
const serverParamsSchema = z.object({ name: z.string() });

/** The parameters of each method, without {@link ADMIN_PREFIX}. */
const params = {
  /** Reloads the config. Returns the changes. */
  reloadConfig: noParamsSchema,
  /** Returns a summary of the calls so far, by server. */
  calls: noParamsSchema,
  /** Returns the connected clients. */
  clients: noParamsSchema,
  windows: noParamsSchema,
  stop: noParamsSchema,
  restartShared: noParamsSchema,
  handOver: noParamsSchema,
  /** Restarts a server for all clients that use it. */
  restart: serverParamsSchema,
  /** Removes a server for all clients that use it. */
  remove: serverParamsSchema,
  /** Answers a waiting call if `answer` is set. Returns all calls that are waiting for approval. */
  approvals: z.object({
    answer: z.optional(
      z.object({ id: z.number(), isAllowed: z.boolean(), scope: z.enum(['once', 'session', 'always']) }),
    ),
  }),
  /** Returns a link that opens the instance's page once. With `isOpened`, also returns a file that redirects to it. */
  page: z.object({ isReadOnly: z.boolean(), isOpened: z.boolean() }),
  /**
   * Requests an `mcpmux/event` notification for each event of the mux, starting with stored events whose sequence
   * number is greater than `after`. With `details`, call events include their arguments, without secrets.
   */
  events: z.object({ after: z.optional(z.number()), details: z.optional(z.boolean()) }),
};

/** The name of a method, without {@link ADMIN_PREFIX}. */
export type AdminMethod = keyof typeof params;

/** The parameters of a method. */
export type AdminParams<Method extends AdminMethod = AdminMethod> = Checked<(typeof params)[Method]>;

/** The result of each method. */
export interface AdminResults {
  readonly reloadConfig: ConfigChange;
  readonly calls: Readonly<Record<string, CallSummary>>;
  readonly clients: { readonly clients: readonly ClientStatus[] };
  readonly windows: InstanceWindows;
  readonly stop: InstanceWindows;
  readonly restartShared: InstanceWindows;
  readonly handOver: { readonly pid: number };
  readonly restart: { readonly status: string; readonly tools: number };
  readonly remove: { readonly status: string; readonly tools: number };
  readonly approvals: { readonly isAnswered: boolean; readonly approvals: readonly OpenApproval[] };
  readonly page: PageLink;
  readonly events: object;
}

/** A request with validated parameters. */
export type AdminRequest = {
  [Method in AdminMethod]: { method: Method; params: AdminParams<Method> };
}[AdminMethod];

/** Validates a request. Returns the problem if the method does not exist or if its parameters are invalid. */
export function parseAdminRequest(
  method: string,
  rawParams: unknown,
): { readonly request: AdminRequest } | { readonly problem: 'method' | 'params' } {
  const name = method.slice(ADMIN_PREFIX.length);
  if (!isAdminMethod(name)) return { problem: 'method' };
  const { success, data } = params[name].safeParse(rawParams ?? {});
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the method has accepted its parameters
  return success ? { request: { method: name, params: data } as AdminRequest } : { problem: 'params' };
}

function isAdminMethod(name: string): name is AdminMethod {
  return Object.hasOwn(params, name);
}
