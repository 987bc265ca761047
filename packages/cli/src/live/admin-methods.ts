import type { ConfigChange } from '@mcpmux/config/follow';
import type { ClientStatus } from '@mcpmux/core';
import type { OpenApproval } from '@mcpmux/core/guards';
import type { CallSummary } from '@mcpmux/dashboard';

import { z, type Checked } from '../base/zod.js';
import { ADMIN_PREFIX } from './opening.js';

/**
 * The methods of a shared process. `windows` lists its windows. `stop` and `restartShared` end the process. After
 * `stop`, its windows start a new process only when their clients send a message; after `restartShared`, they do so
 * immediately. `handOver` releases the socket for a process of another version. Each window moves to that process once
 * it has received its pending responses.
 */
export type SharedMethod = 'windows' | 'stop' | 'restartShared' | 'handOver';

/** A window connected to a shared process, as reported to commands. */
export interface ConnectedWindow {
  /** The window's number in its process. */
  readonly id: number;
  /** The process id of the window's relay. */
  readonly pid: number;
  readonly cwd: string;
  /** When the window connected, in milliseconds since 1970. */
  readonly since: number;
}

/** Digests of a process's settings. Commands compare them to find settings that differ, without learning the values. */
export interface SharingDigest {
  /** The digests of the environment variables, by variable name. */
  readonly environment: Readonly<Record<string, string>>;
  /** A single digest of the Node.js path, its options, and the command-line options of mcpmux. */
  readonly options: string;
}

/** The windows of a shared process. `sharing` is absent if the request ends the process. */
export interface InstanceWindows {
  readonly windows: readonly ConnectedWindow[];
  readonly sharing?: SharingDigest;
}

/** A link to an instance's page. */
export interface PageLink {
  /** A URL that works only once. */
  readonly url: string;
  /** The path of a file that redirects a browser to the URL. Present if the command requested it. */
  readonly file?: string;
}

const noParamsSchema = z.object({});
const serverParamsSchema = z.object({ name: z.string() });

/** The schema of each method's parameters, by method name without {@link ADMIN_PREFIX}. */
const params = {
  /** Reloads the config. Returns the changes. */
  reloadConfig: noParamsSchema,
  /** Returns a summary of each server's calls so far. */
  calls: noParamsSchema,
  clients: noParamsSchema,
  windows: noParamsSchema,
  stop: noParamsSchema,
  restartShared: noParamsSchema,
  handOver: noParamsSchema,
  /** Restarts a server for all clients that use it. */
  restart: serverParamsSchema,
  /** Removes a server for all clients that use it. */
  remove: serverParamsSchema,
  /** Returns the calls waiting for approval. If `answer` is set, first approves or rejects the call with that id. */
  approvals: z.object({
    answer: z.optional(
      z.object({ id: z.number(), isAllowed: z.boolean(), scope: z.enum(['once', 'session', 'always']) }),
    ),
  }),
  /** Returns a URL that opens the page once. If `isOpened`, also returns the path of a file that redirects to it. */
  page: z.object({ isReadOnly: z.boolean(), isOpened: z.boolean() }),
  /**
   * Subscribes to the mux's events, sent as `mcpmux/event` notifications. With `after`, starts with the stored events
   * whose sequence number is greater. With `details`, call events include arguments and results, without secrets.
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

/** Validates a request. `problem` is `method` for an unknown method, or `params` for invalid parameters. */
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
