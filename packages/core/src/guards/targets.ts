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

/** Returns true if the name matches. An undefined name matches only if the pattern list is absent. */
export type NamePredicate = (name: string | undefined) => boolean;

/** Matches requests, principals and tools against a {@link Target}. */
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

/** Returns a guard that passes the calls of a target to `handle`. List and log-level requests bypass it. */
export function guardOfCalls(options: Target, handle: GuardHandler): Guard {
  const target = new TargetMatch(options);
  return {
    handle: (context, next) => {
      const isCall = context.server !== undefined || context.method === 'tools/call';
      return isCall && target.matchesRequest(context) ? handle(context, next) : next();
    },
  };
}

/** Returns a function that matches names against these patterns. Every name matches if `patterns` is undefined. */
export function nameMatcher(patterns: readonly string[] | undefined): NamePredicate {
  if (patterns === undefined) return () => true;
  if (patterns.length === 0) return () => false;
  const isMatch = picomatch([...patterns], MATCH_OPTIONS);
  return (name) => name !== undefined && (patterns.includes(name) || isMatch(name));
}

/**
 * Returns a function that matches text against these patterns, in which `*` is the only wildcard. Runs in linear time
 * for any pattern, so the text may be long.
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
 * Returns the key under which a call is counted. Servers with the same name in different scopes have different keys.
 */
export function countKey(
  { principal, server = '', serverScope, tool = '' }: GuardContext,
  by: readonly CountKey[],
): string {
  const where = [serverScope, server];
  const parts = { principal: principal.id, server: where, tool: [where, tool] };
  return JSON.stringify(by.map((part) => parts[part]));
}
