import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';

import { isLocalHost } from '@mcpmux/remote';
import { requestedSandbox, type SandboxSettings } from '@mcpmux/sandbox';
import type { CallingClient } from '../../client/caller/own-tool-handler.js';
import { HOST } from '../../guards/principal.js';
import { isRemote, type ProcessConfig, type ServerConfig } from '../../server/config/server-config.js';

/** A complete command line that agents may run, because the program alone does not determine what runs. */
export interface AllowedCommand {
  readonly command: string;
  /** The exact arguments. If absent, no arguments are allowed. */
  readonly args?: readonly string[];
  /** If true, further arguments may follow `args`. */
  readonly moreArgs?: boolean;
  /**
   * Names of environment variables that agents may set. None if absent. Variables such as `PATH` can change what runs.
   */
  readonly env?: readonly string[];
  /** The required working directory. If absent, the request must not set one, and mcpmux's own is used. */
  readonly cwd?: string;
}

/**
 * The policy for `add_server` requests. It does not affect the host's own `addServer`.
 *
 * `allow`: every server. `sandbox`: every public URL, and every program in this sandbox; elicitation asks the user
 * about local URLs and about programs that request more. `allowlist`: the entries of `commands`, which never match a
 * URL. `ask`: elicitation asks the user, except about entries of `commands`; a client without elicitation is refused.
 * `deny`: none, except for principals with the right `manage`.
 */
export type AddPolicy =
  | { readonly mode: 'allow' }
  | { readonly mode: 'deny' }
  | {
      readonly mode: 'sandbox';
      readonly sandbox?: SandboxSettings;
      /** Paths that contain the host's secrets. A program that requests access to them requires the user's consent. */
      readonly secrets?: readonly string[];
    }
  | { readonly mode: 'allowlist' | 'ask'; readonly commands?: readonly AllowedCommand[] };

/** The modes of {@link AddPolicy}. */
export type AddPolicyMode = AddPolicy['mode'];

/** The default policy for clients on stdio, which can run programs on their own. */
export const ALLOW_ALL: AddPolicy = Object.freeze({ mode: 'allow' });
/** The default policy for all other clients. */
const DENY_ALL: AddPolicy = Object.freeze({ mode: 'deny' });

/** The right to add servers even if the policy denies this to other principals. */
const MANAGE_RIGHT = 'manage';

type PolicyClient = Pick<CallingClient, 'principal' | 'isStdio'>;

/** Returns the policy for a client. */
export function policyFor(policy: AddPolicy | undefined, client: PolicyClient): AddPolicy {
  const { principal, isStdio } = client;
  const appliedPolicy = policy ?? (isStdio || principal === HOST ? ALLOW_ALL : DENY_ALL);
  return appliedPolicy.mode === 'deny' && hasManageRight(client) ? ALLOW_ALL : appliedPolicy;
}

/** True if a client may add servers under any policy. */
export function hasManageRight({ principal }: PolicyClient): boolean {
  return principal.rights.includes(MANAGE_RIGHT);
}

/** The policy's decision, and the rule behind it. */
export type AddDecision =
  | { readonly kind: 'allow'; readonly rule: string }
  /** `rights`: the rights that the server requests beyond the policy's sandbox. */
  | { readonly kind: 'ask'; readonly rule: 'ask' | 'sandbox'; readonly rights?: readonly string[] }
  | { readonly kind: 'refuse'; readonly rule: string; readonly reason: string };

/**
 * Decides whether an agent may start a server with this config.
 *
 * @param folder the client's folder, against which a sandbox's relative paths are resolved
 */
export function decideAdd(policy: AddPolicy, config: ServerConfig, folder = process.cwd()): AddDecision {
  if (policy.mode === 'allow') return { kind: 'allow', rule: 'allow' };
  if (policy.mode === 'sandbox') {
    const requested = isRemote(config) ? undefined : (config.sandbox ?? 'off');
    const { rights } = applySandboxPolicy(policy, config, requested, folder);
    return rights.length === 0
      ? { kind: 'allow', rule: 'sandbox' }
      : { kind: 'ask', rule: 'sandbox', rights };
  }
  if (policy.mode === 'deny')
    return { kind: 'refuse', rule: 'deny', reason: 'agents may not add servers to this mcpmux' };
  const { mode, commands = [] } = policy;
  const objections = isRemote(config) ? [NO_URLS] : commands.map((allowed) => objectionTo(config, allowed));
  const match = objections.indexOf(undefined);
  if (match !== -1) return { kind: 'allow', rule: `allowlist entry ${match + 1}` };
  if (mode === 'ask') return { kind: 'ask', rule: 'ask' };
  // If an entry has the same command line, the reason why that entry does not match is the most useful one.
  const closest = objections.find((objection) => objection !== COMMAND_NOT_LISTED);
  return { kind: 'refuse', rule: 'allowlist', reason: closest ?? COMMAND_NOT_LISTED };
}

const LOCAL_URL = 'It connects to a server on this computer or in your local network.';
const UNKNOWN_URL = 'It connects to an address that mcpmux cannot read.';
const INHERITS_ALL = 'It gets all variables of mcpmux, with the secrets in them.';

/**
 * Returns the config of a requested server under the policy `sandbox`, and the server's rights beyond the policy. A
 * server at a URL runs elsewhere, so it has no sandbox.
 *
 * @param requestedSettings the requested sandbox; the policy's sandbox when absent
 */
export function applySandboxPolicy(
  { sandbox: settings = {}, secrets = [] }: Extract<AddPolicy, { readonly mode: 'sandbox' }>,
  config: ServerConfig,
  requestedSettings: SandboxSettings | 'off' | undefined,
  folder: string,
): { readonly config: ServerConfig; readonly rights: readonly string[] } {
  if (isRemote(config)) return { config, rights: rightsOfUrl(config.url) };
  const request = { sandbox: requestedSettings, cwd: resolve(folder, config.cwd ?? '') };
  const granted = requestedSandbox(request, { settings, folder, home: homedir(), secrets });
  const { sandbox: _asked, ...program } = config;
  if (granted.settings === undefined) return { config: program, rights: granted.opens };
  const inherits = config.inheritEnv === 'all' ? [INHERITS_ALL] : [];
  return { config: { ...program, sandbox: granted.settings }, rights: [...granted.opens, ...inherits] };
}

function rightsOfUrl(url: string): readonly string[] {
  if (!URL.canParse(url)) return [UNKNOWN_URL];
  return isLocalHost(new URL(url)) ? [LOCAL_URL] : [];
}

const NO_URLS = 'the list of allowed commands has programs only, and no server at a url';
const COMMAND_NOT_LISTED = 'this command line is not in the list of allowed commands';

function objectionTo(config: ProcessConfig, allowed: AllowedCommand): string | undefined {
  if (config.command !== allowed.command || !argsMatch(config.args ?? [], allowed)) return COMMAND_NOT_LISTED;
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
  { args: allowedArgs = [], moreArgs = false }: AllowedCommand,
): boolean {
  if (moreArgs ? args.length < allowedArgs.length : args.length !== allowedArgs.length) return false;
  return allowedArgs.every((arg, index) => arg === args[index]);
}
