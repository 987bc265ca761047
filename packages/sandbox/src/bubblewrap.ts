import type { ViewRule } from './file-view.js';

/** A program and its arguments, as passed to `spawn`. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Sets of options for user namespaces, strongest first. The first set that works is used: old versions lack
 * `--disable-userns`, and on systems that deny user namespaces, bubblewrap needs root rights.
 */
export const NAMESPACE_OPTIONS: readonly (readonly string[])[] = [
  ['--unshare-user', '--disable-userns'],
  ['--unshare-user'],
  [],
];

/** The rights of a program that bubblewrap confines. */
export interface BubblewrapRules {
  readonly view: readonly ViewRule[];
  /** The set from {@link NAMESPACE_OPTIONS} that works on this system. */
  readonly namespaces: readonly string[];
  readonly hasNetwork: boolean;
  readonly cwd: string;
  /** Environment variables for the program that must not affect bubblewrap itself. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Returns the arguments of bubblewrap. The program gets its own namespaces, like a container. With `--die-with-parent`,
 * the kernel kills every process in them when bubblewrap ends.
 *
 * `/proc` is read-only, because root can write files such as `/proc/sys/kernel/core_pattern` without any capability.
 */
export function bubblewrapArgs(program: Program, rules: BubblewrapRules): readonly string[] {
  const { view, namespaces, hasNetwork, cwd, variables } = rules;
  const isolated = ['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try'];
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'];
  return [
    namespaces,
    isolated,
    hasNetwork ? [] : ['--unshare-net'],
    ['--die-with-parent', '--cap-drop', 'ALL'],
    system,
    view.flatMap(mountOptions),
    Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ['--chdir', cwd, '--', program.command, ...program.args],
  ].flat();
}

function mountOptions({ path, sight, isFolder, isPassable }: ViewRule): readonly string[] {
  switch (sight) {
    case 'writable':
      return ['--bind', path, path];
    case 'read-only':
      return ['--ro-bind', path, path];
    case 'empty':
      return ['--perms', '1777', '--tmpfs', path];
    case 'hidden':
      if (!isFolder) return ['--ro-bind', '/dev/null', path];
      // Without this, a program that cannot enter the folder would report "not found" instead of "permission denied".
      return ['--perms', isPassable ? '0111' : '0000', '--tmpfs', path];
  }
}
