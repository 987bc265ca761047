import { ANYBODY, type ConnectOptions, type Principal } from '@mcpmux/core';

import { principalKey } from '../auth/credentials.js';

/** The principal that sends a request, and the workspace that the request addresses. */
export interface Caller {
  readonly principal: Principal;
  /** Undefined: the servers that the caller adds are shared by all. */
  readonly workspace: string | undefined;
}

/** The paths of MCP. Each one also exists with `/{workspace}`, for servers that other callers must not see. */
const PATH = /^\/(mcp|sse|messages)(?:\/([A-Za-z0-9][\w.-]{0,63}))?$/;

/** The path to which a client of the transport of 2024-11-05 posts messages; also with `/{workspace}`. */
export const MESSAGES_PATH = '/messages';

/** A path of MCP. The transport of 2024-11-05 uses `sse` and `messages`. */
export interface McpPlace extends Pick<Caller, 'workspace'> {
  readonly path: 'mcp' | 'sse' | 'messages';
}

/** The MCP endpoint at a path; undefined for any other path. */
export function placeOf(pathname: string): McpPlace | undefined {
  const [, path, workspace] = PATH.exec(pathname) ?? [];
  return path === 'mcp' || path === 'sse' || path === 'messages' ? { path, workspace } : undefined;
}

/** A key that is equal for callers that share servers. Callers with different keys cannot use each other's sessions. */
export function callerKey({ principal, workspace }: Caller): string {
  return JSON.stringify([principalKey(principal), workspace ?? null]);
}

/**
 * The connect options of a caller: its added servers belong to its principal at that path. Each principal has its own
 * workspace per path, because a path's name is no secret. Without known principals, all callers share `/mcp`.
 *
 * @param isolated servers that a client adds are visible to that client alone
 */
export function connectOptions(caller: Caller, isolated = false): ConnectOptions {
  const { principal, workspace } = caller;
  const isOfAll = workspace === undefined && principal === ANYBODY;
  return { principal, isolated, ...(!isOfAll && { workspace: callerKey(caller) }) };
}
