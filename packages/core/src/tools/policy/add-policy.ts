import { isRemote, type ProcessConfig, type ServerConfig } from '../../upstream/config/server-config.js';

/** A whole command that may be started: a program alone says nothing about what it does. */
export interface AllowedCommand {
  readonly command: string;
  /** Exactly these; none when absent. */
  readonly args?: readonly string[];
  /** Any further arguments may follow. */
  readonly moreArgs?: boolean;
  /** Names of the environment variables that may be set; none when absent. `PATH` or `NODE_OPTIONS` change what is run. */
  readonly env?: readonly string[];
  /** The working directory that has to be asked for; that of mcpmux, by not asking for any, when absent. */
  readonly cwd?: string;
}

/**
 * Who decides about `add_server`. A host's own `addServer` is not concerned.
 *
 * `allow`: everything. `allowlist`: what is in `commands`. `ask`: the user, by elicitation, but for what is in
 * `commands`; a client that cannot ask is refused. `deny`: nothing, but for principals with the right `manage`.
 * No url is in `commands`.
 */
export type AddPolicy =
  | { readonly mode: 'allow' }
  | { readonly mode: 'deny' }
  | { readonly mode: 'allowlist' | 'ask'; readonly commands?: readonly AllowedCommand[] };

/** The modes of {@link AddPolicy}. */
export type AddPolicyMode = AddPolicy['mode'];

/** The policy of a mux that sets none: over stdio the client can run programs anyway. */
export const ALLOW_ALL: AddPolicy = Object.freeze({ mode: 'allow' });

/** Lets its holder add servers where the policy denies that to others. */
const MANAGE = 'manage';

/** The policy for somebody with these rights. */
export function policyFor(policy: AddPolicy, rights: readonly string[]): AddPolicy {
  return policy.mode === 'deny' && rights.includes(MANAGE) ? ALLOW_ALL : policy;
}

/** What the policy says, and by which rule. */
export type AddDecision =
  | { readonly kind: 'allow'; readonly rule: string }
  | { readonly kind: 'ask'; readonly rule: 'ask' }
  | { readonly kind: 'refuse'; readonly rule: string; readonly reason: string };

/** Decides whether an agent may start a server so. */
export function decideAdd(policy: AddPolicy, config: ServerConfig): AddDecision {
  if (policy.mode === 'allow') return { kind: 'allow', rule: 'allow' };
  if (policy.mode === 'deny')
    return { kind: 'refuse', rule: 'deny', reason: 'agents may not add servers to this mcpmux' };
  const { mode, commands = [] } = policy;
  const objections = isRemote(config) ? [NO_URLS] : commands.map((allowed) => objectionTo(config, allowed));
  const match = objections.indexOf(undefined);
  if (match !== -1) return { kind: 'allow', rule: `allowlist entry ${match + 1}` };
  if (mode === 'ask') return { kind: 'ask', rule: 'ask' };
  // The nearest miss says most: same command, and something else about it.
  const near = objections.find((objection) => objection !== OTHER_COMMAND);
  return { kind: 'refuse', rule: 'allowlist', reason: near ?? OTHER_COMMAND };
}

const NO_URLS = 'the list of allowed commands holds programs only, and no server at a url';
const OTHER_COMMAND = 'this command line is not in the list of allowed commands';

function objectionTo(config: ProcessConfig, allowed: AllowedCommand): string | undefined {
  if (config.command !== allowed.command || !argsMatch(config.args ?? [], allowed)) return OTHER_COMMAND;
  const names = Object.keys(config.env ?? {}).filter((name) => allowed.env?.includes(name) !== true);
  if (names.length > 0)
    return `the command is allowed, but not with the environment variables ${names.join(', ')}`;
  if (config.cwd === allowed.cwd) return undefined;
  return allowed.cwd === undefined
    ? 'the command is allowed, but only without a cwd'
    : `the command is allowed, but only with the cwd ${JSON.stringify(allowed.cwd)}`;
}

function argsMatch(
  args: readonly string[],
  { args: wanted = [], moreArgs = false }: AllowedCommand,
): boolean {
  if (moreArgs ? args.length < wanted.length : args.length !== wanted.length) return false;
  return wanted.every((arg, index) => arg === args[index]);
}
