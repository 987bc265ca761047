import { REFUSAL_ADVICE } from '@mcpmux/kit';
import { isTaskMethod } from '../server/dialect/client-requests.js';
import type { Guard, GuardContext } from './guard.js';
import type { GuardSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { HOST, type Principal } from './principal.js';
import { TargetMatch, type Target } from './targets.js';

/** A rule that allows or denies the selected servers and tools to the selected principals. */
export interface AccessRule extends Target {
  /** If false, the rule denies access. True when absent. */
  readonly allow?: boolean | undefined;
}

/** Rules for the servers and tools that each principal may use. */
export interface AccessOptions {
  /** The first matching rule decides. */
  readonly rules: readonly AccessRule[];
  /** The decision when no rule matches; `deny` when absent. */
  readonly otherwise?: 'allow' | 'deny' | undefined;
}

/**
 * Returns a guard that lets each principal use only the servers and tools that the rules allow, and hides all others. A
 * rule with `tools` does not apply to a server's prompts and resources.
 */
export function accessControl({ rules, otherwise = 'deny' }: AccessOptions): Guard {
  const matchers = rules.map((rule) => ({ target: new TargetMatch(rule), isAllowed: rule.allow !== false }));
  const shows = (principal: Principal, server: string, tool?: string): boolean => {
    const rule = matchers.find(
      ({ target }) =>
        target.matchesPrincipal(principal) &&
        !(tool === undefined && target.namesTools) &&
        target.matchesTool(server, tool),
    );
    return rule?.isAllowed ?? otherwise === 'allow';
  };
  return {
    shows,
    handle: (context, next) => {
      const { principal, server, method } = context;
      // Requests for a task pass, because the call that created the task was allowed.
      if (isTaskMethod(method)) return next();
      const isPermitted =
        principal === HOST || server === undefined || shows(principal, server, toolOf(context));
      if (isPermitted) return next();
      throw refusal(context, server);
    },
  };
}

/** The `guards.access` setting in a config. */
export const accessSetting: GuardSetting<AccessOptions> = {
  schema: ({ z, flag, optional, targeted }) => {
    const rule = targeted<AccessRule>({ allow: optional(flag, 'true when absent.') });
    const rules = z.array(rule, { error: 'expected a list of rules' });
    const otherwise = z.enum(['allow', 'deny'], { error: 'expected allow or deny' });
    const settings = z.strictObject({
      rules: rules.check(z.describe('The first rule that matches decides.')),
      otherwise: optional(otherwise, 'The decision when no rule matches; deny when absent.'),
    });
    return settings.check(z.describe('Which callers can use which servers and tools.'));
  },
  guards: (options) => [accessControl(options)],
};

/** Returns the name of the called tool; undefined for other requests, such as those for a prompt. */
function toolOf({ method, tool }: GuardContext): string | undefined {
  return method === 'tools/call' ? tool : undefined;
}

function refusal({ principal, method, tool }: GuardContext, server: string): GuardRefusal {
  const what =
    method === 'tools/call' && tool !== undefined ? `Tool ${JSON.stringify(tool)} of server` : 'Server';
  return new GuardRefusal(
    `${what} ${JSON.stringify(server)} is not permitted for ${JSON.stringify(principal.id)}. Nothing was called. ` +
      `Use the listed tools. ${REFUSAL_ADVICE}.`,
    { reason: 'forbidden', isFinal: true, data: { server } },
  );
}
