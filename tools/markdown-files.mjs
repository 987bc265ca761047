import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', 'reports', 'coverage']);

/** The Markdown files below a folder, without those of dependencies and of builds. */
export function markdownFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
