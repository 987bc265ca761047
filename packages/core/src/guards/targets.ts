import picomatch from 'picomatch';

import type { Guard, GuardContext, GuardHandler } from './guard.js';
import type { Principal } from './principal.js';

/** Selects the requests that a guard handles, by names and patterns. An absent list selects all. */
export interface Target {
  /** Selects a principal if one of its roles matches. */
  readonly roles?: readonly string[] | undefined;
  readonly principals?: readonly string[] | undefined;
  /** `mcpmux` selects mcpmux's own tools. */
  readonly servers?: readonly string[] | undefined;
  /** Patterns for the local names of tools. */
  readonly tools?: readonly string[] | undefined;
}

/** Names are not paths: `*` matches any string, including slashes, leading dots and line breaks. */
const MATCH_OPTIONS = { bash: true, dot: true, flags: 's', keepQuotes: true, nonegate: true, windows: false };

/** Returns true if a name matches. An absent name matches no pattern. */
export type NamePredicate = (name: string | undefined) => boolean;

/** Matches names against a {@link Target}. */
export class TargetMatch {
  /** True if the target selects tools by name. If false, it covers all tools, prompts and resources of its servers. */
  readonly namesTools: boolean;
  private readonly roles: NamePredicate | undefined;
  private readonly principals: NamePredicate;
  private readonly servers: NamePredicate;
  private readonly tools: NamePredicate;

  constructor({ roles, principals, servers, tools }: Target) {
    this.namesTools = tools !== undefined;
    this.roles = roles && nameMatcher(roles);
    this.principals = nameMatcher(principals);
    this.servers = nameMatcher(servers);
    this.tools = nameMatcher(tools);
  }

  /** True if the target includes the principal, the server and the tool of the request. */
  matchesRequest({ principal, server, tool }: GuardContext): boolean {
    return this.matchesPrincipal(principal) && this.matchesTool(server, tool);
  }

  matchesPrincipal({ id, roles }: Principal): boolean {
    return this.principals(id) && (this.roles === undefined || roles.some(this.roles));
  }

  matchesTool(server: string | undefined, tool: string | undefined): boolean {
    return this.servers(server) && this.tools(tool);
  }
}

/** Returns a guard for a target's calls. List and log-level requests, which target no single server, bypass it. */
export function guardOfCalls(options: Target, handle: GuardHandler): Guard {
  const target = new TargetMatch(options);
  return {
    handle: (context, next) => {
      const isCall = context.server !== undefined || context.method === 'tools/call';
      return isCall && target.matchesRequest(context) ? handle(context, next) : next();
    },
  };
}

/** Returns a function that matches names against these patterns. Absent patterns match everything. */
export function nameMatcher(patterns: readonly string[] | undefined): NamePredicate {
  if (patterns === undefined) return () => true;
  if (patterns.length === 0) return () => false;
  const isMatch = picomatch([...patterns], MATCH_OPTIONS);
  return (name) => name !== undefined && (patterns.includes(name) || isMatch(name));
}

/**
 * Returns a function that matches text of any length against these patterns, in which only `*` is special. Its running
 * time is linear in the length of the text, whatever the pattern.
 */
export function textMatcher(patterns: readonly string[]): (text: string) => boolean {
  const patternPieces = patterns.map((pattern) => pattern.split('*'));
  return (text) => patternPieces.some((pieces) => matchesPieces(text, pieces));
}

/** True if the text consists of these pieces in order, with any text between them. */
function matchesPieces(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const offset = text.indexOf(piece, at);
    if (offset === -1) return false;
    at = offset + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** A property by which a guard groups the calls that it counts. */
export type CountKey = 'principal' | 'server' | 'tool';

/**
 * Returns a string that is the same for all calls that are counted together. Calls to different servers with the same
 * name have different keys.
 */
export function countKey(
  { principal, server = '', serverScope, tool = '' }: GuardContext,
  by: readonly CountKey[],
): string {
  const where = [serverScope, server];
  const parts = { principal: principal.id, server: where, tool: [where, tool] };
  return JSON.stringify(by.map((part) => parts[part]));
}
