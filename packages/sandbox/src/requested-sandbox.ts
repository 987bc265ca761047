import type { FileSettings, SandboxSettings } from './settings.js';
import { absolutePath } from './paths.js';
import { findWidenings, type Permitted } from './widening.js';

/** A sandbox that an agent requests for a server. Missing settings are taken from the policy. */
export interface SandboxRequest {
  readonly sandbox?: SandboxSettings | 'off' | undefined;
  /** The server's working directory. */
  readonly cwd: string;
}

/** The sandbox for a server that an agent requests. */
export interface GrantedSandbox {
  /** The settings with absolute paths, or undefined if the server runs without a sandbox. */
  readonly settings: SandboxSettings | undefined;
  /** The rights beyond the policy, one sentence each. Only a person may grant them. */
  readonly opens: readonly string[];
}

/** Returns the sandbox for a requested server under a policy, and the rights that exceed the policy. */
export function requestedSandbox(
  { sandbox = {}, cwd }: SandboxRequest,
  permitted: Permitted,
): GrantedSandbox {
  const { folder, home } = permitted;
  const policy = withAbsolutePaths(permitted.settings, folder, home);
  if (sandbox === 'off')
    return {
      settings: undefined,
      opens: findWidenings({ sandbox, cwd }, { ...permitted, settings: policy }),
    };
  const requestedSettings = withAbsolutePaths(sandbox, cwd, home);
  const filesystem = { ...policy.filesystem, ...requestedSettings.filesystem };
  const network = requestedSettings.network ?? policy.network;
  const follow = policy.follow ?? requestedSettings.follow;
  const settings = {
    filesystem,
    ...(network !== undefined && { network }),
    ...(follow !== undefined && { follow }),
  };
  return { settings, opens: findWidenings({ sandbox: settings, cwd }, { ...permitted, settings: policy }) };
}

function withAbsolutePaths(
  { filesystem = {}, ...others }: SandboxSettings,
  folder: string,
  home: string,
): SandboxSettings {
  const files: { -readonly [Key in keyof FileSettings]: readonly string[] } = {};
  for (const key of ['allowRead', 'allowWrite', 'denyRead', 'denyWrite'] as const) {
    const paths = filesystem[key];
    if (paths !== undefined) files[key] = paths.map((path) => absolutePath(path, folder, home));
  }
  return { ...others, filesystem: files };
}
