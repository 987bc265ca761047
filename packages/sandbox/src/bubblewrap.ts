import type { ViewRule } from './file-view.js';

/** A program to run, as for `spawn`. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The options by which a user namespace confines a program, strongest first. The first that runs here is used: older
 * versions lack `--disable-userns`, and systems that deny user namespaces need a bubblewrap with the rights of root.
 */
export const NAMESPACES: readonly (readonly string[])[] = [
  ['--unshare-user', '--disable-userns'],
  ['--unshare-user'],
  [],
];

/** The rights of a program under bubblewrap. */
export interface BubblewrapRules {
  readonly view: readonly ViewRule[];
  /** The options of {@link NAMESPACES} that run here. */
  readonly namespaces: readonly string[];
  readonly hasNetwork: boolean;
  readonly cwd: string;
  /** Variables that bubblewrap itself must not see. They are set for the program alone. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Returns the arguments of bubblewrap. The program gets the namespaces of a container: with `--die-with-parent` the
 * kernel kills every process in them when bubblewrap ends.
 *
 * `/proc` is read-only, because files such as `/proc/sys/kernel/core_pattern` belong to root and need no capability.
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
    view.flatMap(mount),
    Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ['--chdir', cwd, '--', program.command, ...program.args],
  ].flat();
}

function mount({ path, sight, isFolder, isPassable }: ViewRule): readonly string[] {
  switch (sight) {
    case 'writable':
      return ['--bind', path, path];
    case 'read-only':
      return ['--ro-bind', path, path];
    case 'empty':
      return ['--perms', '1777', '--tmpfs', path];
    case 'hidden':
      if (!isFolder) return ['--ro-bind', '/dev/null', path];
      // Without the right to enter, a program gets "permission denied", which names the path, and not "not found".
      return ['--perms', isPassable ? '0111' : '0000', '--tmpfs', path];
  }
}
