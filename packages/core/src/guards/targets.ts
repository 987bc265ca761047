import picomatch from 'picomatch';

import type { Guard, GuardContext, GuardHandler } from './guard.js';
import type { Principal } from './principal.js';

/** Whom and what a guard is for: patterns as those of tools in a config. Whatever is absent is all. */
export interface Target {
  /** The principal has a role that matches one of these. */
  readonly roles?: readonly string[] | undefined;
  readonly principals?: readonly string[] | undefined;
  /** `mcpmux` is the server of its own tools. */
  readonly servers?: readonly string[] | undefined;
  /** As their servers call them. */
  readonly tools?: readonly string[] | undefined;
}

/** Names are no paths: `*` stands for any text, slashes and leading dots included. */
const OPTIONS = { bash: true, dot: true, nonegate: true, windows: false };

/** What has no name is matched by no pattern. */
type Match = (name: string | undefined) => boolean;

/** A {@link Target} that names are held against. */
export class TargetMatch {
  /** False: it is for all tools, and what else its servers have. */
  readonly namesTools: boolean;
  private readonly roles: Match | undefined;
  private readonly principals: Match;
  private readonly servers: Match;
  private readonly tools: Match;

  constructor({ roles, principals, servers, tools }: Target) {
    this.namesTools = tools !== undefined;
    this.roles = roles && matching(roles);
    this.principals = matching(principals);
    this.servers = matching(servers);
    this.tools = matching(tools);
  }

  /** Whether it is for whoever sends a request, and about what that is about. */
  covers({ principal, server, tool }: GuardContext): boolean {
    return this.isFor(principal) && this.isAbout(server, tool);
  }

  isFor({ id, roles }: Principal): boolean {
    return this.principals(id) && (this.roles === undefined || roles.some(this.roles));
  }

  isAbout(server: string | undefined, tool: string | undefined): boolean {
    return this.servers(server) && this.tools(tool);
  }
}

/** A guard of calls that a target covers. Lists and levels reach no server. A call does, or would if its tool existed. */
export function guardOfCalls(options: Target, handle: GuardHandler): Guard {
  const target = new TargetMatch(options);
  return {
    handle: (context, next) => {
      const isCall = context.server !== undefined || context.method === 'tools/call';
      return isCall && target.covers(context) ? handle(context, next) : next();
    },
  };
}

function matching(patterns: readonly string[] | undefined): Match {
  if (patterns === undefined) return () => true;
  if (patterns.length === 0) return () => false;
  const isMatch = picomatch([...patterns], OPTIONS);
  return (name) => name !== undefined && (patterns.includes(name) || isMatch(name));
}
