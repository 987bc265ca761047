import type { ConnectOptions, Principal } from '@mcpmux/core';

import { ANYBODY, principalKey } from '../auth/credentials.js';

/** Who sends a request, and to which workspace. */
export interface Caller {
  readonly principal: Principal;
  /** Undefined: what is added is there for all. */
  readonly workspace: string | undefined;
}

/** Where MCP is served, each with `/{workspace}` as well for what others are not to see. */
const PATH = /^\/(mcp|sse|messages)(?:\/([A-Za-z0-9][\w.-]{0,63}))?$/;

/** Where a client of the transport of 2024-11-05 sends messages; with `/{workspace}` as well. */
export const MESSAGES_PATH = '/messages';

/** A path at which MCP is served; the transport of 2024-11-05 has `sse` and `messages`. */
export interface McpPlace extends Pick<Caller, 'workspace'> {
  readonly path: 'mcp' | 'sse' | 'messages';
}

/** What a path is of MCP; undefined for another path. */
export function placeOf(pathname: string): McpPlace | undefined {
  const [, path, workspace] = PATH.exec(pathname) ?? [];
  return path === 'mcp' || path === 'sse' || path === 'messages' ? { path, workspace } : undefined;
}

/** The same for callers that share what they have: a session of one is none of the business of another. */
export function callerKey({ principal, workspace }: Caller): string {
  return JSON.stringify([principalKey(principal), workspace ?? null]);
}

/**
 * How a caller is connected: what it adds is there for its principal at that path. A path is one for each principal, for
 * its name is no secret; where principals are not known, all share `/mcp`.
 *
 * @param isolated what a client adds is there for it alone
 */
export function connectOptions(caller: Caller, isolated = false): ConnectOptions {
  const { principal, workspace } = caller;
  const isOfAll = workspace === undefined && principal === ANYBODY;
  return { principal, isolated, ...(!isOfAll && { workspace: callerKey(caller) }) };
}
