import picomatch from 'picomatch';

import type { GuardContext } from './guard.js';
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

type Match = (name: string) => boolean;

/** A {@link Target} that names are held against. */
export class TargetMatch {
  /** False: it is for all tools, and what else its servers have. */
  readonly namesTools: boolean;
  private readonly roles: Match | undefined;
  private readonly principals: Match | undefined;
  private readonly servers: Match | undefined;
  private readonly tools: Match | undefined;

  constructor({ roles, principals, servers, tools }: Target) {
    this.namesTools = tools !== undefined;
    this.roles = matching(roles);
    this.principals = matching(principals);
    this.servers = matching(servers);
    this.tools = matching(tools);
  }

  /** Whether it is for whoever sends a request, and about what that is about. */
  covers({ principal, server, tool }: GuardContext): boolean {
    return this.isFor(principal) && this.isAbout(server, tool);
  }

  isFor({ id, roles }: Principal): boolean {
    if (this.principals?.(id) === false) return false;
    return this.roles === undefined || roles.some(this.roles);
  }

  isAbout(server: string | undefined, tool: string | undefined): boolean {
    return matches(this.servers, server) && matches(this.tools, tool);
  }
}

/** What has no name is matched by no pattern. */
function matches(match: Match | undefined, name: string | undefined): boolean {
  return match === undefined || (name !== undefined && match(name));
}

function matching(patterns: readonly string[] | undefined): Match | undefined {
  if (patterns === undefined) return undefined;
  if (patterns.length === 0) return () => false;
  const isMatch = picomatch([...patterns], OPTIONS);
  return (name) => patterns.includes(name) || isMatch(name);
}
