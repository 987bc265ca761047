import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The Markdown files of the repository by path: those of Git, and new ones that it does not ignore. */
export function markdownFiles(root) {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'];
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git cannot list the Markdown files: ${stderr}`);
  const paths = stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  return paths.toSorted((one, other) => (one < other ? -1 : 1));
}
