import { basename, dirname, join } from 'node:path';

import type { Disk } from './disk.js';
import { isWithin } from './paths.js';

/** Paths that stay read-only in a writable folder, because git, editors, shells or MCP clients run their content. */
const PROTECTED_RELATIVE_PATHS: readonly string[] = [
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

const PROTECTED_TOP_NAMES: ReadonlySet<string> = new Set(
  PROTECTED_RELATIVE_PATHS.map((name) => name.replace(/\/.*/, '')),
);

/**
 * Returns the paths that stay read-only in a writable folder. The writable folder may itself be inside such a path, for
 * example inside `.git`.
 */
export function protectedPaths(folder: string, disk: Disk): readonly string[] {
  const paths = pathAndAncestors(folder)
    .flatMap((above) => PROTECTED_RELATIVE_PATHS.map((name) => join(above, name)))
    .filter((path) => isWithin(path, folder));
  // In a worktree or a submodule, `.git` is a file that names the git folder.
  const git = join(folder, '.git');
  return disk.isFolder(git) ? paths : [git, ...paths];
}

/**
 * True if a folder is a protected path or is inside one. Only protected paths within the folder's repository count,
 * because clients put worktrees into `.claude/worktrees`.
 */
export function isInProtectedPath(folder: string, disk: Disk): boolean {
  const above = pathAndAncestors(folder);
  const root = above.findIndex((path) => disk.real(join(path, '.git')) !== undefined);
  return (root === -1 ? above : above.slice(0, root)).some(isProtectedPath);
}

/** True if `path`, or a folder between it and `outer` (exclusive), is protected or may contain a protected path. */
export function hasProtectedPathBetween(path: string, outer: string): boolean {
  return pathAndAncestors(path)
    .filter((one) => one !== outer && isWithin(one, outer))
    .some((one) => PROTECTED_TOP_NAMES.has(basename(one)) || isProtectedPath(one));
}

function isProtectedPath(path: string): boolean {
  return PROTECTED_RELATIVE_PATHS.some((name) => path.endsWith(`/${name}`));
}

/** Returns a path and its ancestors, innermost first. */
function pathAndAncestors(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...pathAndAncestors(above)];
}
