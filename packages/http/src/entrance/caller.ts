import { ANYBODY, type ConnectOptions, type Principal } from '@mcpmux/core';

import { principalKey } from '../auth/credentials.js';

/** The principal that sends a request, and the workspace to which the request is sent. */
export interface Caller {
  readonly principal: Principal;
  /** The workspace in the request's path. Undefined if the path contains none. */
  readonly workspace: string | undefined;
}

/**
 * The MCP paths. Each path also exists with `/{workspace}`, for servers that other callers must not access. A trailing
 * slash is ignored, as in Express, because the paths of FastMCP have one.
 */
const MCP_PATH = /^\/(mcp|sse|messages)(?:\/([A-Za-z0-9][\w.-]{0,63}))?\/?$/;

/** The path to which clients of the 2024-11-05 transport post messages. It also exists with `/{workspace}`. */
export const MESSAGES_PATH = '/messages';

/** The parts of an MCP path. The 2024-11-05 transport uses `sse` and `messages`. */
export interface McpRoute extends Pick<Caller, 'workspace'> {
  readonly path: 'mcp' | 'sse' | 'messages';
}

/** Returns the parts of an MCP path, or undefined for any other path. */
export function mcpRouteOf(pathname: string): McpRoute | undefined {
  const [, path, workspace] = MCP_PATH.exec(pathname) ?? [];
  return path === 'mcp' || path === 'sse' || path === 'messages' ? { path, workspace } : undefined;
}

/** Returns a key that is equal for callers that share servers. Others cannot use each other's sessions. */
export function callerKey({ principal, workspace }: Caller): string {
  return JSON.stringify([principalKey(principal), workspace ?? null]);
}

/**
 * Returns the connect options of a caller. Servers that it adds belong to its principal at this path. Each principal
 * has a separate workspace per path, because path names are not secret. Without credentials, all callers share `/mcp`.
 *
 * @param isolated true if servers that a client adds are visible only to that client
 */
export function connectOptions(caller: Caller, isolated = false): ConnectOptions {
  const { principal, workspace } = caller;
  const isOfAll = workspace === undefined && principal === ANYBODY;
  return { principal, isolated, ...(!isOfAll && { workspace: callerKey(caller) }) };
}
