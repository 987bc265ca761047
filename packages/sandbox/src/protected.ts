import { basename, dirname, join } from 'node:path';

import type { Disk } from './disk.js';
import { isWithin } from './paths.js';

/**
 * Paths in a writable folder that stay read-only, because other programs run what they say: git, editors, shells,
 * and clients of MCP.
 */
const PROTECTED_IN_FOLDERS: readonly string[] = [
  ['.git/hooks', '.git/config', '.gitmodules', '.husky', '.envrc'],
  ['.vscode', '.idea', '.zed', '.devcontainer', '.github/workflows'],
  [
    '.claude',
    '.cursor',
    '.codex',
    '.gemini',
    '.kiro',
    '.roo',
    '.amp',
    '.mcp.json',
    'opencode.json',
    'mcpmux.json',
  ],
].flat();

const NAMES: ReadonlySet<string> = new Set(PROTECTED_IN_FOLDERS.map((name) => name.replace(/\/.*/, '')));

/** The paths that stay read-only in a writable folder. The folder may itself lie between a name's parts, as `.git`. */
export function protectedPaths(folder: string, disk: Disk): readonly string[] {
  const paths = upward(folder)
    .flatMap((above) => PROTECTED_IN_FOLDERS.map((name) => join(above, name)))
    .filter((path) => isWithin(path, folder));
  // In a worktree or a submodule, `.git` is a file that says where the git settings are.
  const git = join(folder, '.git');
  return disk.isFolder(git) ? paths : [git, ...paths];
}

/**
 * True if a folder is a protected path, or lies in one. A repository in such a path is a folder of its own: clients put
 * worktrees into `.claude/worktrees`.
 */
export function isRunByOthers(folder: string, disk: Disk): boolean {
  const above = upward(folder);
  const root = above.findIndex((path) => disk.real(join(path, '.git')) !== undefined);
  return (root === -1 ? above : above.slice(0, root)).some(isProtected);
}

/** True if a path between two is protected, or holds something protected; the outer one is ignored. */
export function hasProtectedBetween(path: string, outer: string): boolean {
  return upward(path)
    .filter((one) => one !== outer && isWithin(one, outer))
    .some((one) => NAMES.has(basename(one)) || isProtected(one));
}

function isProtected(path: string): boolean {
  return PROTECTED_IN_FOLDERS.some((name) => path.endsWith(`/${name}`));
}

/** Returns a path and those above it, innermost first. */
function upward(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upward(above)];
}
